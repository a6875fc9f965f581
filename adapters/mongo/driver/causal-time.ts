import type { Document, ObjectId, Timestamp } from 'mongodb';

/**
 * The cluster time that every read must have reached (`afterClusterTime`).
 *
 * A primary that was just elected has every write that its predecessors acknowledged. But it does not know yet that a
 * majority has them, and its majority reads leave them out: a revoked app key would be accepted again. So a read waits
 * until the server knows that a majority has
 * - the last write that this process sent and the server acknowledged, by its `operationTime`;
 * - the last write that the primary had when a heartbeat first showed it. That includes everything that was acknowledged
 *   before its election, to whichever process.
 *
 * On a primary that stays in office a majority has both already, so that no read waits. A standalone server has no
 * cluster time and no elections.
 */
export class CausalTime {
  #time: Timestamp | undefined;
  #election: ObjectId | undefined;

  /** Makes later reads wait until a majority has everything up to `time`. */
  advance(time: Timestamp | undefined): void {
    if (this.#time === undefined || (time !== undefined && time.greaterThan(this.#time))) this.#time = time;
  }

  /** Notices a new primary in a heartbeat, the server's reply to `hello`. */
  observe(heartbeat: Document): void {
    const election: ObjectId | undefined = heartbeat['electionId'];
    if (heartbeat['isWritablePrimary'] !== true || election === undefined) return;
    if (this.#election?.equals(election) === true) return;
    this.#election = election;
    this.advance(heartbeat['lastWrite'].opTime.ts);
  }

  /**
   * Sends a read with the time that it must have reached. It is sent again if a new primary was noticed meanwhile: the
   * driver may have waited for that primary and sent it the read with an earlier time.
   */
  async read<T>(send: (after: Timestamp | undefined) => Promise<T>): Promise<T> {
    for (;;) {
      const election = this.#election;
      const result = await send(this.#time);
      if (this.#election === election) return result;
    }
  }
}
