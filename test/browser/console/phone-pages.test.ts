import { describePages } from './sound-pages.ts';

describePages('phone', [360, 320]);
