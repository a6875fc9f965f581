// Makes a replica set of servers that have no data yet; does nothing if they are one already.
// usage: node replica-set.mjs NAME HOST…
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

const alreadyInitialized = 23;
const deadline = Date.now() + 60_000;
const [name, ...hosts] = process.argv.slice(2);
const members = hosts.map((host, _id) => ({ _id, host: `${host}:27017` }));

for (;;) {
  // `directConnection`, because a server without a set is no member that the driver would look for.
  const client = new MongoClient(`mongodb://${hosts[0]}/?directConnection=true`, { serverSelectionTimeoutMS: 2000 });
  try {
    await client.db('admin').command({ replSetInitiate: { _id: name, members } });
    break;
  } catch (error) {
    if (error.code === alreadyInitialized) break;
    // The servers need some seconds to start.
    if (Date.now() > deadline) throw error;
    await sleep(1000);
  } finally {
    await client.close();
  }
}
