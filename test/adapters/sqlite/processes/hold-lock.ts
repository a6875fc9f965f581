/** Holds the write lock of a store file until its standard input ends, then commits a product. Argument: PATH. */
import Database from 'better-sqlite3';

const [, , path = ''] = process.argv;
const connection = new Database(path, { timeout: 0 });
connection.exec(`BEGIN IMMEDIATE; INSERT INTO products (id, name, created_at) VALUES ('of-the-holder', 'Holder', 0);`);
console.log('locked');
process.stdin.resume().once('end', () => {
  connection.exec('COMMIT');
  connection.close();
});
