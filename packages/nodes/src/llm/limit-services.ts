import type { ModelCall, ModelRequest, ModelResult, ModelService } from '@unroll/engine';
import { type CallLimit, type CallTurns, type TurnsOf, tokensOf } from './call-turns.ts';
import type { OpenService } from './find-service.ts';

/**
 * Holds every connection to its limit, whatever calls it. A request waits for its turn; its tokens are taken as those of
 * the calls before it were on average, at first by its length, and put right once the service has told them.
 */
export function limitServices(
  open: OpenService,
  limitOf: (connection: string) => CallLimit | undefined,
  turnsOf: TurnsOf,
): OpenService {
  const limited = new Map<string, ReturnType<OpenService>>();
  return (connection) => {
    const turns = turnsOf(connection.name, limitOf(connection.name));
    if (turns === undefined) return open(connection);
    const known = limited.get(connection.name);
    if (known !== undefined) return known;
    const opened = open(connection).then((service) => service && limitService(service, turns));
    limited.set(connection.name, opened);
    return opened;
  };
}

const charactersPerToken = 3;

function limitService(service: ModelService, turns: CallTurns): ModelService {
  const seen = { calls: 0, tokens: 0 };
  const expected = (request: ModelRequest): number =>
    seen.calls === 0 ? JSON.stringify(request).length / charactersPerToken : seen.tokens / seen.calls;
  return {
    ...service,
    async call(api, request, call): Promise<ModelResult> {
      const turn = await turns.take(expected(request), call.signal);
      if (call.signal.aborted) {
        turn.end(undefined);
        return given(call);
      }
      let result: ModelResult | undefined;
      try {
        result = await service.call(api, request, call);
        return result;
      } finally {
        turn.end(result);
        if (result?.ok === true) {
          seen.calls += 1;
          seen.tokens += tokensOf(result);
        }
      }
    },
  };
}

/** A call that was given up while it waited was never made. */
function given({ signal }: ModelCall): ModelResult {
  const why = signal.reason instanceof Error ? signal.reason.message : 'the run was stopped';
  return { ok: false, error: { code: 'Canceled', message: why, retryable: true } };
}
