/**
 * A model of one layer and random weights as a GGUF file: it says nothing of sense, and can say it only as a grammar lets
 * it. Its vocabulary is bytes and a few letters. GGUF version 3, as ggml's docs/gguf.md describes it.
 */
export function tinyGguf(): Uint8Array {
  const tensors = Object.entries(shapes).map(([name, shape]) => ({ name, shape, data: weightsOf(name, shape) }));
  let offset = 0;
  const described = tensors.map(({ name, shape, data }) => {
    const info = Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)]);
    offset += padded(data).length;
    return info;
  });
  const head = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(keys.length), ...keys, ...described];
  return Buffer.concat([padded(Buffer.concat(head)), ...tensors.map(({ data }) => padded(data))]);
}

const [width, inner, heads] = [32, 64, 2];
const bytes = Array.from({ length: 256 }, (_, code) => `<0x${code.toString(16).toUpperCase().padStart(2, '0')}>`);
const letters = ['▁', ...'abcdefghijklmnopqrstuvwxyz_<>&0123456789'];
const vocabulary = ['<unk>', '<s>', '</s>', ...bytes, ...letters];
const kinds = [2, 3, 3, ...bytes.map(() => 6), ...letters.map(() => 1)];

const shapes: Readonly<Record<string, readonly number[]>> = {
  'token_embd.weight': [width, vocabulary.length],
  'output_norm.weight': [width],
  'output.weight': [width, vocabulary.length],
  'blk.0.attn_norm.weight': [width],
  'blk.0.attn_q.weight': [width, width],
  'blk.0.attn_k.weight': [width, width],
  'blk.0.attn_v.weight': [width, width],
  'blk.0.attn_output.weight': [width, width],
  'blk.0.ffn_norm.weight': [width],
  'blk.0.ffn_gate.weight': [width, inner],
  'blk.0.ffn_up.weight': [width, inner],
  'blk.0.ffn_down.weight': [inner, width],
};

const keys: readonly Buffer[] = [
  key('general.architecture', 8, text('llama')),
  key('general.name', 8, text('tiny')),
  key('llama.context_length', 4, u32(1024)),
  key('llama.embedding_length', 4, u32(width)),
  key('llama.block_count', 4, u32(1)),
  key('llama.feed_forward_length', 4, u32(inner)),
  key('llama.attention.head_count', 4, u32(heads)),
  key('llama.attention.head_count_kv', 4, u32(heads)),
  key('llama.attention.layer_norm_rms_epsilon', 6, f32(1e-5)),
  key('llama.rope.dimension_count', 4, u32(width / heads)),
  key('llama.vocab_size', 4, u32(vocabulary.length)),
  key('general.file_type', 4, u32(0)),
  key('tokenizer.ggml.model', 8, text('llama')),
  key('tokenizer.ggml.tokens', 9, list(8, vocabulary.map(text))),
  key(
    'tokenizer.ggml.scores',
    9,
    list(
      6,
      vocabulary.map((_, at) => f32(-at)),
    ),
  ),
  key('tokenizer.ggml.token_type', 9, list(5, kinds.map(u32))),
  key('tokenizer.ggml.bos_token_id', 4, u32(1)),
  key('tokenizer.ggml.eos_token_id', 4, u32(2)),
  key('tokenizer.ggml.unknown_token_id', 4, u32(0)),
];

/** Norms are 1, all else small and random, the same each time. */
function weightsOf(name: string, shape: readonly number[]): Buffer {
  let state = name.length;
  const count = shape.reduce((product, size) => product * size, 1);
  const values = Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return name.includes('norm') ? 1 : (state / 4_294_967_296 - 0.5) / 2;
  });
  return Buffer.from(values.buffer);
}

function key(name: string, kind: number, value: Buffer): Buffer {
  return Buffer.concat([text(name), u32(kind), value]);
}

function list(kind: number, members: readonly Buffer[]): Buffer {
  return Buffer.concat([u32(kind), u64(members.length), ...members]);
}

function padded(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc((32 - (data.length % 32)) % 32)]);
}

function text(value: string): Buffer {
  const data = Buffer.from(value);
  return Buffer.concat([u64(data.length), data]);
}

function u32(value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeUInt32LE(value);
  return data;
}

function u64(value: number): Buffer {
  const data = Buffer.alloc(8);
  data.writeBigUInt64LE(BigInt(value));
  return data;
}

function f32(value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeFloatLE(value);
  return data;
}
