import { readFile } from 'node:fs/promises';
import { MongoClient } from 'mongodb';
import { valueOf } from '../cli/run-command.ts';

/** All that a durable store and a backup of it contain, for a search: each byte is a character. */
export async function storedBytes(url: string): Promise<string> {
  return url.startsWith('sqlite:') ? bytesOfFiles(url, url.slice('sqlite:'.length)) : bytesOfDatabase(url);
}

async function bytesOfFiles(url: string, file: string): Promise<string> {
  const backup = `${file}.bak`;
  await valueOf(`store backup ${backup}`, url);
  const parts = await Promise.all(
    [file, `${file}-wal`, backup].map((path) => readFile(path, 'latin1').catch(() => '')),
  );
  if (parts.at(-1) === '') throw new Error('there is no backup');
  return parts.join('');
}

/** The bytes that `mongodump` would write: each document of each collection. */
async function bytesOfDatabase(url: string): Promise<string> {
  const client = new MongoClient(url);
  try {
    const collections = await client.db().collections();
    const parts = await Promise.all(
      collections.map(async (collection) => {
        const documents = (await collection.find({}, { raw: true }).toArray()) as unknown as readonly Buffer[];
        return documents.map((document) => document.toString('latin1')).join('');
      }),
    );
    return parts.join('');
  } finally {
    await client.close();
  }
}
