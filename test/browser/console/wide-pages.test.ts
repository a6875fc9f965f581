import { describePages } from './sound-pages.ts';

describePages('wide', [1280, 800]);
