import {
  type FlowFiles,
  isMapping,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  type NodeDefinition,
  type PrepareContext,
  type Prompty,
  readPrompty,
  rowAlone,
} from '@unroll/engine';
import {
  type BuiltRequest,
  type RequestForm,
  readMessages,
  renderError,
  requireTemplate,
  trustOf,
  withoutImageMarks,
} from '@unroll/nodes/building-blocks';
import { isTruthy, offeredOf } from './offered-tools.ts';

/** A request of the parameters as they are written, as Prompt flow sends it, with the filled template and the model. */
export function requestBuilder(
  node: NodeDefinition,
  context: PrepareContext,
  prompty: Prompty,
  form: RequestForm,
  model: JsonValue,
): (inputs: JsonObject) => BuiltRequest {
  const opened = requireTemplate(node, templateFiles(context.files));
  const parameters = sentParameters(prompty.parameters);
  const offered = offeredOf(parameters);
  const request = (prompt: JsonObject): BuiltRequest =>
    'error' in offered
      ? { ok: false, error: offered.error }
      : { ok: true, request: { ...parameters, ...prompt, ...offered.choice, model } as ModelRequest };
  if (prompty.api === 'chat') {
    const prompt = { api: prompty.api, form, opened, trust: trustOf(node, false) };
    return (inputs) => {
      const read = readMessages(prompt, inputs, { row: rowAlone() }, { images: true, plainLists: true });
      return read.ok ? request({ messages: read.messages as JsonValue }) : read;
    };
  }
  const { template, templateStart } = prompty;
  // A template that is filled has one kind of line ends.
  const blanked = template.text.slice(0, templateStart).replaceAll(/\r\n?/g, '\n').length;
  return (inputs) => {
    try {
      return request({ prompt: opened.template.render(inputs).slice(blanked) });
    } catch (error) {
      return { ok: false, error: renderError(error, opened.file) };
    }
  };
}

/** What the client library takes for itself is not sent. */
export function sentParameters(written: JsonObject): JsonObject {
  const {
    deployment_name: _d,
    extra_headers: _h,
    extra_query: _q,
    timeout: _t,
    extra_body: more,
    stream = null,
    tools = null,
    ...others
  } = written;
  const parameters = {
    ...others,
    ...(tools === null ? {} : { tools }),
    ...(stream === null ? {} : { stream: isTruthy(stream) }),
  };
  return isMapping(more) ? { ...parameters, ...more } : parameters;
}

/** The flow's files, a prompty without its front matter. */
export function templateFiles(files: FlowFiles): FlowFiles {
  return {
    ...files,
    read: (path) => {
      const file = files.read(path);
      if (file === undefined) return undefined;
      const read = readPrompty(file);
      if (!read.ok) return file;
      const { template } = read.prompty;
      return { ...template, text: withoutImageMarks(template.text) };
    },
  };
}
