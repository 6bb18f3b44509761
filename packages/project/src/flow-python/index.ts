export { describePython } from './describe-python.ts';
export { setUpFlowPython } from './set-up-flow-python.ts';
