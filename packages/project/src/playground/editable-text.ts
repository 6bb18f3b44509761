import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { createFlowFiles } from '@unroll/engine';
import type { FoundFlow } from '../flows/find-flow.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { reasonOf } from '../host/refusal.ts';
import { promptPath, type ReadFlow } from './read-flow.ts';

/** A text file that a node is made of. */
export interface EditableText {
  /** As the flow names it. */
  readonly path: string;
  /** Absolute. */
  readonly full: string;
  /** Without its byte order mark. */
  readonly text: string;
  /** Of its bytes. */
  readonly digest: string;
  /** Nodes that are made of it, each iteration of a loop by itself. */
  readonly nodes: readonly string[];
  /** Why it may be looked at alone. */
  readonly problem?: string | undefined;
}

/**
 * @param path seen from the flow's folder, or absolute
 * @returns with an empty text where it cannot be read
 */
export function editableText(path: string, found: FoundFlow, flow: ReadFlow, host: ProjectHost): EditableText {
  const full = flow.files.resolve(path) ?? resolve(found.folder, path);
  const shown = relative(found.folder, full).replaceAll(sep, '/');
  const nodes = (flow.plan?.nodes ?? []).flatMap((node) => {
    const own = promptPath(flow, node);
    return own !== undefined && flow.files.resolve(own) === full ? [node.name] : [];
  });
  const about = { path: path === found.file ? shown : path, full, nodes };
  if (createFlowFiles(found.folder, found.folder).resolve(shown) !== full) {
    return { ...about, text: '', digest: '', problem: 'it lies outside of the folder of the flow' };
  }
  const bytes = bytesOf(full);
  if ('problem' in bytes) return { ...about, text: '', digest: '', problem: bytes.problem };
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (!isUtf8(bytes)) return { ...about, text, digest, problem: 'it is not written in UTF-8' };
  const redacted = host.redactor.text(text);
  if (redacted !== text) return { ...about, text: redacted, digest, problem: 'a secret stands in it' };
  return { ...about, text, digest };
}

function bytesOf(file: string): Buffer | { readonly problem: string } {
  try {
    return readFileSync(file);
  } catch (error) {
    return { problem: `it cannot be read: ${reasonOf(error)}` };
  }
}
