import type { GenerateResult } from './language-model.ts';
import { toldReason } from './read-provider-answer.ts';

/** Parts of a stream, as far as they are looked at (`LanguageModelV4StreamPart`). */
type StreamPart = Readonly<Record<string, unknown>> & { readonly type?: unknown };

/** How a stream ended. */
export type StreamedAnswer =
  | { readonly kind: 'whole'; readonly result: GenerateResult }
  /** It ended before the answer was complete. */
  | { readonly kind: 'cut' }
  /** The service told an error in it. */
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * A streamed answer, joined to what the same call without a stream would have given: texts handed on piece by piece.
 *
 * @throws what the connection failed with
 */
export async function readProviderStream(
  stream: ReadableStream<unknown>,
  onText: ((text: string) => void) | undefined,
): Promise<StreamedAnswer> {
  const joined = new JoinedParts();
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const part = read.value as StreamPart;
      if (part.type === 'error') return { kind: 'failed', error: part['error'] };
      if (part.type === 'text-delta') onText?.(String(part['delta'] ?? ''));
      joined.take(part);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return joined.answer();
}

interface OpenPart {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerMetadata?: unknown;
}

class JoinedParts {
  private readonly content: unknown[] = [];
  private readonly open = new Map<string, OpenPart>();
  /** By id, until the call is complete. */
  private readonly begunCalls = new Set<unknown>();
  private warnings: readonly unknown[] = [];
  private response: GenerateResult['response'];
  private finish: StreamPart | undefined;

  take(part: StreamPart): void {
    const [, kind, step] = /^(text|reasoning)-(start|delta|end)$/.exec(String(part.type)) ?? [];
    if (step === 'start') this.begin(kind as OpenPart['type'], part);
    else if (kind !== undefined) this.extend(kind as OpenPart['type'], part);
    else if (part.type === 'tool-input-start') this.begunCalls.add(part['id']);
    else if (part.type === 'tool-call') this.takeCall(part);
    else if (part.type === 'file') this.content.push(part);
    else if (part.type === 'stream-start') this.warnings = part['warnings'] as readonly unknown[];
    else if (part.type === 'response-metadata') this.response = { ...this.response, ...part };
    else if (part.type === 'finish') this.finish = part;
  }

  answer(): StreamedAnswer {
    const { finish } = this;
    const reason = finish?.['finishReason'] as { readonly unified?: unknown; readonly raw?: unknown } | undefined;
    // Providers end each stream with `finish`; where the service told no reason, what it said was not all.
    if (finish === undefined || !toldReason(reason) || this.begunCalls.size > 0) return { kind: 'cut' };
    return {
      kind: 'whole',
      result: {
        content: this.content,
        finishReason: reason,
        usage: finish['usage'],
        warnings: this.warnings,
        ...(this.response === undefined ? {} : { response: this.response }),
      },
    };
  }

  private takeCall(part: StreamPart): void {
    this.begunCalls.delete(part['toolCallId']);
    this.content.push(part);
  }

  private begin(type: OpenPart['type'], part: StreamPart): OpenPart {
    const begun: OpenPart = { type, text: '' };
    this.open.set(String(part['id']), begun);
    this.content.push(begun);
    return this.withMetadata(begun, part);
  }

  private extend(type: OpenPart['type'], part: StreamPart): void {
    const known = this.open.get(String(part['id'])) ?? this.begin(type, part);
    known.text += String(part['delta'] ?? '');
    this.withMetadata(known, part);
  }

  private withMetadata(known: OpenPart, part: StreamPart): OpenPart {
    if (part['providerMetadata'] !== undefined) known.providerMetadata = part['providerMetadata'];
    return known;
  }
}
