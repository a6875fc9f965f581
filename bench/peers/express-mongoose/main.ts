import { createServer } from 'node:http';
import express from 'express';
import mongoose from 'mongoose';
import { requestMiddleware } from '../express-middleware.ts';
import { peerLog, serve } from '../peer.ts';
import { routes } from './routes.ts';

/** Express 5 and mongoose, with the promises of the hand-written peer, as most people would write them. Arguments: log file, database. */
const [logFile = '', url = ''] = process.argv.slice(2);
await mongoose.connect(url, { readConcern: { level: 'majority' }, writeConcern: { w: 'majority', journal: true } });

const app = express();
app.use(express.json({ limit: '16kb' }));
app.use(requestMiddleware(peerLog(logFile)));
app.use(routes);

serve(createServer(app));
