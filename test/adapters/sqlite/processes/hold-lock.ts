/** Holds the write lock of the store file that is named, until its standard input ends; then commits a product. */
import Database from 'better-sqlite3';

const [, , path = ''] = process.argv;
const connection = new Database(path, { timeout: 0 });
connection.exec(`BEGIN IMMEDIATE; INSERT INTO products VALUES ('of-the-holder', 'Holder', 0);`);
console.log('locked');
process.stdin.resume().once('end', () => {
  connection.exec('COMMIT');
  connection.close();
});
