import { anthropicWire } from './anthropic-wire.ts';
import { deepseekWire, groqWire, mistralWire } from './chat-wires.ts';
import { cohereWire } from './cohere-wire.ts';
import { googleWire } from './google-wire.ts';
import { ollamaWire } from './ollama-wire.ts';
import type { Wire } from './wire.ts';
import { xaiWire } from './xai-wire.ts';

/** By type of connection. */
export const wires: Readonly<Record<string, Wire>> = {
  anthropic: anthropicWire,
  cohere: cohereWire,
  deepseek: deepseekWire,
  google: googleWire,
  groq: groqWire,
  mistral: mistralWire,
  ollama: ollamaWire,
  xai: xaiWire,
};
