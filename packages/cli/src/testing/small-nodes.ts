// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { readFileSync } from 'node:fs';

export const ask = (name: string, more: string, inputs = '{model: m}'): string =>
  `{name: ${name}, type: llm, connection: offline, source: {type: code, path: ${name}.jinja2}, ${more}, inputs: ${inputs}}`;
export const packageTool = (name: string, tool: string, inputs: string): string =>
  `{name: ${name}, type: python, source: {type: package, tool: ${tool}}, inputs: ${inputs}}`;

export const code = (name: string): string =>
  `{name: ${name}, type: python, source: {type: code, path: ${name}.ts}, inputs: {}}`;
export const python = (name: string, inputs: string): string =>
  `{name: ${name}, type: python, source: {type: code, path: ${name}.py}, inputs: ${inputs}}`;
export const agent = (tools: string, name = 'a'): string =>
  `{name: ${name}, type: agent, connection: offline, source: {type: code, path: agent.jinja2}, tools: ${tools}, max_iterations: 1, inputs: {model: m, q: hi}}`;
export const on = (name: string, connection: string): string =>
  ask(name, 'api: chat').replace('connection: offline', `connection: ${connection}`);
export const lookup = (name: string, index: string, query = 'hi'): string =>
  `{name: ${name}, type: lookup, index: ${index}, inputs: {query: ${query}}}`;
export const chats = (names: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...names].map((name) => [`${name}.jinja2`, 'user:\nhi\n']));
export const greet = (more: string): string =>
  `class Greet:\n    def __init__(self${more}):\n        pass\n    def __call__(self, q: str = 'x'):\n        return q\n`;

export const packageOfTools = JSON.parse(
  readFileSync(new URL('../../../promptflow/src/package-tools/probe-package.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;
export const prompted = (name: string, tool: string, inputs: string): string =>
  `{name: ${name}, type: custom_llm, source: {type: package_with_prompt, tool: ${tool}, path: ${name}.jinja2}, inputs: ${inputs}}`;
