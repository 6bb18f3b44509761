import type { SettingsOf } from '../command-spec.ts';
import { color, json } from './common-options.ts';
import { argument, flag } from './option-kinds.ts';

const flow = argument('<flow>', 'a flow: its folder, or its definition file');

export const setUpPythonSettings = { flow, again: flag('--again', 'make it again although it is ready'), json, color };
export const pythonInfoSettings = { flow, json };

export type SetUpPythonSettings = SettingsOf<typeof setUpPythonSettings>;
export type PythonInfoSettings = SettingsOf<typeof pythonInfoSettings>;
