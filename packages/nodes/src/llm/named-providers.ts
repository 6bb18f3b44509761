import { calledProvider } from '../connections/called-provider.ts';
import type { OpenService } from './find-service.ts';

/** Services that tell who answers. */
export function namedProviders(open: OpenService): OpenService {
  return async (connection) => {
    const service = await open(connection);
    return service && { ...service, provider: calledProvider(connection) };
  };
}
