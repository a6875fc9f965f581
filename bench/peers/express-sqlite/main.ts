import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import express from 'express';
import { requestMiddleware } from '../express-middleware.ts';
import { peerLog, serve } from '../peer.ts';
import { catalogRoutes } from './catalog.ts';
import { entitlementRoutes } from './entitlements.ts';

/**
 * Express 5 and better-sqlite3, as most people would write it: a middleware for each concern, one statement after
 * another, `res.json`, and a table of answers by idempotency key. Arguments: log file, SQLite file.
 */
const [logFile = '', file = ''] = process.argv.slice(2);
const db = new Database(file);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
// Latchkey's schema refuses changes without an event, which this peer does not write.
db.exec('DROP TRIGGER entitlement_changes_are_told');

const app = express();
app.use(express.json({ limit: '16kb' }));
app.use(requestMiddleware(peerLog(logFile)));
app.use(entitlementRoutes(db));
app.use(catalogRoutes(db));

serve(createServer(app));
