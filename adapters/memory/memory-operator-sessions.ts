import type { EndOfSessions, OperatorSession } from '../../core/operator-session/operator-session.ts';
import { prunedSessions, type OperatorSessions } from '../../core/operator-session/operator-sessions.port.ts';
import type { MemoryStore } from './data/memory-store.ts';

export class MemoryOperatorSessions implements OperatorSessions {
  readonly #sessions: MemoryStore['operatorSessions'];

  constructor({ operatorSessions }: MemoryStore) {
    this.#sessions = operatorSessions;
  }

  async add(session: OperatorSession): Promise<void> {
    this.#sessions.set(session.digest, session);
  }

  async find(digest: string): Promise<OperatorSession | null> {
    return this.#sessions.get(digest) ?? null;
  }

  async recordUse(digest: string, at: Date): Promise<void> {
    const session = this.#sessions.get(digest);
    if (session !== undefined && session.lastUsedAt < at) this.#sessions.set(digest, { ...session, lastUsedAt: at });
  }

  async remove(digest: string): Promise<void> {
    this.#sessions.delete(digest);
  }

  async prune({ createdAt, lastUsedAt }: EndOfSessions): Promise<number> {
    const ended = [...this.#sessions.values()].filter(
      (session) => session.createdAt <= createdAt || session.lastUsedAt <= lastUsedAt,
    );
    const removed = ended.slice(0, prunedSessions);
    for (const { digest } of removed) this.#sessions.delete(digest);
    return removed.length;
  }
}
