import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WrongArgument } from '../../../adapters/cli/shell/errors.ts';
import { englishTexts } from '../../../adapters/web/markup/buyer-texts.ts';
import { defaultSettings, resolveSettings } from '../../../app/settings/resolve.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { TestCommandLine } from '../../support/cli/command-line.ts';

function languageOf(tag: string): string {
  return resolveSettings({ flags: { siteLanguage: tag }, file: null }, {}).settings.siteLanguage;
}

describe('SITE_LANGUAGE', () => {
  it('is English, or another language in the form of its tag', () => {
    expect(defaultSettings.siteLanguage).to.equal('en');
    expect(['en', 'EN', 'de', 'DE-at', 'pt-br', 'zh-hant', 'he', 'iw'].map(languageOf)).to.deep.equal([
      'en',
      'en',
      'de',
      'de-AT',
      'pt-BR',
      'zh-Hant',
      'he',
      'he',
    ]);
  });
});

describe('SITE_TEXTS_FILE', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    file = join(folder, 'texts.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const settingsWith = async (content: unknown): Promise<Settings> => {
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return resolveSettings({ flags: {}, file: null }, { SITE_TEXTS_FILE: file }).settings;
  };
  const mistakesOf = async (content: unknown): Promise<readonly string[]> => {
    try {
      await settingsWith(content);
      return [];
    } catch (error) {
      if (error instanceof WrongArgument) return error.message.replaceAll(file, 'FILE').split('\n');
      throw error;
    }
  };

  it('replaces the texts that it has, and no others', async () => {
    const texts = { showLicense: 'Lizenz zeigen', inUse: 'Von {limit} sind {used} belegt, also {used}' };
    expect((await settingsWith(texts)).siteTexts).to.deep.equal({ ...englishTexts, ...texts });
    expect((await settingsWith({})).siteTexts).to.deep.equal(englishTexts);
    expect(defaultSettings.siteTexts).to.equal(englishTexts);
  });

  it('leaves out what an earlier release had, whatever it is', async () => {
    const { siteTexts } = await settingsWith({ causePayment: 'Eine Zahlung fehlt.', help: 'Hilfe' });
    expect(siteTexts).to.deep.equal({ ...englishTexts, help: 'Hilfe' });
  });

  const oneLine = 'must be a text of one line that is not blank.';
  const cases: readonly (readonly [what: string, content: unknown, mistakes: readonly string[]])[] = [
    ['no JSON', '{"help": "Hilfe"', ['FILE must contain one JSON object.']],
    ['nothing', '', ['FILE must contain one JSON object.']],
    ['a list', '["Hilfe"]', ['FILE must contain one JSON object.']],
    ['null', 'null', ['FILE must contain one JSON object.']],
    [
      'an unknown name',
      { showLicence: 'x' },
      ['showLicence (FILE) is not a text; did you mean showLicense? texts print prints all.'],
    ],
    [
      'the name of a member that all objects have',
      '{"__proto__": "x", "constructor": "x"}',
      [
        '__proto__ (FILE) is not a text; did you mean privacy? texts print prints all.',
        'constructor (FILE) is not a text; did you mean cancelButton? texts print prints all.',
      ],
    ],
    [
      'no text',
      { help: 1, site: null, skip: ['x'] },
      ['help', 'site', 'skip'].map((name) => `${name} (FILE) ${oneLine}`),
    ],
    ['a blank text', { help: '', site: ' ' }, ['help', 'site'].map((name) => `${name} (FILE) ${oneLine}`)],
    ['two lines', { help: 'a\nb', site: 'a\u2028b' }, ['help', 'site'].map((name) => `${name} (FILE) ${oneLine}`)],
    [
      'lost placeholders',
      { inUse: 'x', runBy: '{ owner }' },
      [
        'inUse (FILE) must have the placeholder {used}.',
        'inUse (FILE) must have the placeholder {limit}.',
        'runBy (FILE) must have the placeholder {owner}.',
        'runBy (FILE) has { owner }, which is not one of its placeholders.',
      ],
    ],
    [
      'foreign placeholders',
      { help: 'Hilfe {url}', runBy: '{owner}, {дата}', datesAreUtc: '{', devices: '}' },
      [
        'help (FILE) has {url}, which is not one of its placeholders.',
        'runBy (FILE) has {дата}, which is not one of its placeholders.',
        'datesAreUtc (FILE) has {, which is not one of its placeholders.',
        'devices (FILE) has }, which is not one of its placeholders.',
      ],
    ],
  ];
  for (const [what, content, mistakes] of cases) {
    it(`stops the start with ${what}, and says all that is wrong`, async () => {
      expect(await mistakesOf(content)).to.deep.equal(mistakes);
    });
  }

  it('stops the start, and config check, if it cannot be read', async () => {
    const stderr = 'The file given by --site-texts-file cannot be read.\n';
    const cli = new TestCommandLine();
    for (const command of [['serve'], ['demo'], ['config', 'check']]) {
      const run = await cli.run([...command, '--site-texts-file', join(folder, 'none.json')]);
      expect(run).to.deep.equal({ exitCode: 2, stdout: '', stderr });
    }
    expect([cli.served, cli.demonstrated]).to.deep.equal([[], []]);
  });

  it('has the form that texts print prints, with what is replaced', async () => {
    const cli = new TestCommandLine();
    await writeFile(file, JSON.stringify({ help: 'עזרה\u200f' }));
    const { stdout, stderr } = await cli.run(['texts', 'print', '--site-texts-file', file]);
    expect([stderr, JSON.parse(stdout)]).to.deep.equal(['', { ...englishTexts, help: 'עזרה\u200f' }]);
    expect(stdout).to.include('\n  "showLicense": "Show license",\n').and.not.include('\u200f');
    expect((await settingsWith(stdout)).siteTexts).to.deep.equal({ ...englishTexts, help: 'עזרה\u200f' });
    expect(await cli.json('texts print')).to.deep.equal(englishTexts);
  });
});
