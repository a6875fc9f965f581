import { expect } from 'chai';
import { aCall, later, noon } from '../support/builders.ts';
import { beside, freshStore, type OpenStore } from '../support/stores/stores.ts';

/** The promises of every store about the mark of the clock. */
export function clockMarksContract(open: OpenStore): void {
  describe('the mark of the clock', () => {
    const store = freshStore(open);
    const mark = (): Promise<Date | null> =>
      beside(store(), async ({ clockMarks }) => (await clockMarks.read(aCall())).mark);

    it('is not there before a server has written it', async () => {
      expect(await mark()).to.equal(null);
    });

    it('is raised to a later instant, and by an earlier one left alone', async () => {
      const { clockMarks } = store();
      await clockMarks.raise(noon, aCall());
      expect(await mark()).to.deep.equal(noon);
      await clockMarks.raise(later(1), aCall());
      await clockMarks.raise(later(-1), aCall());
      expect(await mark()).to.deep.equal(later(1));
    });

    it('is the latest of those that twenty processes raise it to at once', async () => {
      const { clockMarks } = store();
      const numbers = Array.from({ length: 20 }, (_, index) => (index * 7) % 20);
      await Promise.all(numbers.map((number) => clockMarks.raise(later(number), aCall())));
      expect(await mark()).to.deep.equal(later(19));
    });

    it('stands beside the note of a restore, until a server has returned', async () => {
      const restoredAt = (): Promise<Date | null> =>
        beside(store(), async ({ clockMarks }) => clockMarks.restoredAt(aCall()));
      const { clockMarks } = store();
      expect(await restoredAt()).to.equal(null);
      await clockMarks.noteRestore(later(1), aCall());
      await clockMarks.noteRestore(noon, aCall());
      await clockMarks.raise(later(2), aCall());
      expect([await restoredAt(), await mark()]).to.deep.equal([noon, later(2)]);
      await clockMarks.noteRestore(null, aCall());
      expect([await restoredAt(), await mark()]).to.deep.equal([null, later(2)]);
    });

    it('is reset to any instant', async () => {
      const { clockMarks } = store();
      await clockMarks.reset(later(1), aCall());
      await clockMarks.reset(noon, aCall());
      expect(await mark()).to.deep.equal(noon);
    });
  });
}
