import type { NodeType } from '@unroll/engine';
import {
  openTemplate,
  renderError,
  requireTemplate,
  templateDiagnostics,
  templateParameters,
} from './prompt-template.ts';

/** `prompt`: a template filled with the node's inputs; the output is the text exactly as rendered. */
export const promptNodeType: NodeType = {
  name: 'prompt',
  version: 1,
  effects: 'pure',
  keys: [],
  inspect(node, files) {
    const opened = openTemplate(node, files);
    const shared = {
      takesAnyInput: true,
      fillsTemplate: true,
      outputType: 'string',
      files: node.source?.path === undefined ? [] : [node.source.path],
    };
    if (!opened.ok) return { ...shared, diagnostics: templateDiagnostics(opened) };
    return { ...shared, diagnostics: [], parameters: templateParameters(opened.opened) };
  },
  async prepare(node, { files }) {
    const { file, template } = requireTemplate(node, files);
    return {
      parametersWithDefault: new Set(),
      run(inputs) {
        try {
          return { ok: true, output: template.render(inputs) };
        } catch (error) {
          return { ok: false, error: renderError(error, file) };
        }
      },
    };
  },
};
