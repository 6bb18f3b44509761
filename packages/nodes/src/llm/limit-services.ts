import type { ModelCall, ModelRequest, ModelResult, ModelService } from '@unroll/engine';
import type { Clock } from './concurrency-limiter.ts';
import type { OpenService } from './find-service.ts';
import { RateBucket } from './rate-bucket.ts';

/** What a connection may take in a minute; what is absent is not limited. */
export interface RateLimit {
  readonly requests?: number;
  readonly tokens?: number;
}

/**
 * Holds every connection to its limit, whatever calls it. A request waits for its turn; its tokens are taken as those of
 * the calls before it were on average, at first by its length, and put right once the service has told them.
 */
export function limitServices(
  open: OpenService,
  limitOf: (connection: string) => RateLimit | undefined,
  clock: Clock,
): OpenService {
  const limited = new Map<string, ReturnType<OpenService>>();
  return (connection) => {
    const limit = limitOf(connection.name);
    if (limit === undefined) return open(connection);
    const known = limited.get(connection.name);
    if (known !== undefined) return known;
    const opened = open(connection).then((service) => service && limitService(service, limit, clock));
    limited.set(connection.name, opened);
    return opened;
  };
}

const charactersPerToken = 3;

function limitService(service: ModelService, limit: RateLimit, clock: Clock): ModelService {
  const requests = limit.requests === undefined ? undefined : new RateBucket(limit.requests);
  const tokens = limit.tokens === undefined ? undefined : new RateBucket(limit.tokens);
  const seen = { calls: 0, tokens: 0 };
  const expected = (request: ModelRequest): number =>
    seen.calls === 0 ? JSON.stringify(request).length / charactersPerToken : seen.tokens / seen.calls;
  return {
    async call(api, request, call): Promise<ModelResult> {
      const taken = expected(request);
      const now = clock.now();
      const wait = Math.max(requests?.reserve(now, 1) ?? 0, tokens?.reserve(now, taken) ?? 0);
      if (wait > 0) await clock.sleep(wait, call.signal);
      if (call.signal.aborted) return given(call);
      const result = await service.call(api, request, call);
      const used = result.ok ? (result.reply.usage?.totalTokens ?? 0) : 0;
      tokens?.correct(used - taken);
      if (result.ok) {
        seen.calls += 1;
        seen.tokens += used;
      }
      return result;
    },
  };
}

/** A call that was given up while it waited was never made. */
function given({ signal }: ModelCall): ModelResult {
  const why = signal.reason instanceof Error ? signal.reason.message : 'the run was stopped';
  return { ok: false, error: { code: 'Canceled', message: why, retryable: true } };
}
