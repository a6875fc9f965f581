import { writeFile } from 'node:fs/promises';
import { documents } from './documents.ts';
import { fileOf } from './repository.ts';

/** `npm run docs`: writes every generated text of the documents. */
for (const [path, write] of documents) await writeFile(fileOf(path), await write(path));
