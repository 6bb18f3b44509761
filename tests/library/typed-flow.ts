import { openProject } from '@unroll/project';
import type { Ask } from './ask.d.ts';

const project = openProject('tests/library');
const { status, outputs } = await project.flow<Ask>('ask').run({ question: 'May we?', tone: 'polite' }).result;
if (status === 'Completed') console.log(outputs.answer?.toUpperCase());
