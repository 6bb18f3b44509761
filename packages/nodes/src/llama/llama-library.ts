import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What we use of node-llama-cpp 3, which is installed by those who want local models and by nobody else. */
export interface LlamaLibrary {
  getLlama(options: {
    readonly gpu: false | 'auto';
    readonly build: 'never';
    readonly logLevel: 'error';
  }): Promise<Llama>;
  readonly LlamaGrammar: new (llama: Llama, options: { readonly grammar: string }) => LlamaGrammar;
  readonly LlamaChatSession: new (options: {
    readonly contextSequence: LlamaSequence;
    readonly autoDisposeSequence: boolean;
  }) => LlamaSession;
}

export interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: object): Promise<LlamaGrammar>;
  dispose(): Promise<void>;
}

interface LlamaModel {
  createContext(options: { readonly contextSize?: number; readonly threads?: number }): Promise<LlamaContext>;
}

export interface LlamaContext {
  getSequence(): LlamaSequence;
}

interface LlamaSequence {
  readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number };
}

export type LlamaGrammar = object;

export type LlamaHistoryItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };

interface LlamaSession {
  setChatHistory(history: readonly LlamaHistoryItem[]): void;
  prompt(text: string, options: LlamaPromptOptions): Promise<string>;
  dispose(): void;
}

interface LlamaPromptOptions {
  readonly grammar?: LlamaGrammar;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
  readonly onTextChunk?: (text: string) => void;
}

/**
 * Loads the library from where the work is done, else from beside us.
 *
 * @throws Error where it is installed in neither place
 */
export async function loadLlamaLibrary(folder: string): Promise<LlamaLibrary> {
  const name = 'node-llama-cpp';
  for (const place of [join(folder, 'package.json'), import.meta.filename]) {
    const file = resolved(place, name);
    if (file !== undefined) return (await import(pathToFileURL(file).href)) as LlamaLibrary;
  }
  throw new Error(`a connection of type llama_cpp needs the package ${name}; install it: npm install ${name}@3`);
}

function resolved(from: string, name: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}
