import type { Connection } from '@unroll/engine';
import { requireExtra } from '../extras/extras.ts';
import { awsHttpHandler } from '../http/aws-http-handler.ts';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Who calls AWS: keys, else a profile, else what AWS's own rules find; then the roles, each assumed by the one before. */
export interface AwsIdentity {
  readonly keys?: AwsKeys;
  /** Section of AWS's own files `~/.aws/config` and `~/.aws/credentials`. */
  readonly profile?: string;
  /** ARNs. */
  readonly roles: readonly string[];
  readonly externalId?: string;
  /** As the sessions of the roles stand in AWS's logs. */
  readonly sessionName?: string;
  /** Another address of AWS STS than AWS's own. */
  readonly stsEndpoint?: string;
}

export interface TemporaryKeys extends AwsKeys {
  readonly expiration?: Date;
}

/**
 * The identity of a connection, by its configs `profile`, `role_arn`, `external_id`, `role_session_name`, `sts_endpoint`.
 *
 * @param keyPrefix before the names of its secrets `access_key_id`, `secret_access_key`, `session_token`
 */
export function awsIdentity(
  { configs, secrets }: Pick<Connection, 'configs' | 'secrets'>,
  keyPrefix: '' | 'aws_' = '',
): AwsIdentity {
  const { [`${keyPrefix}access_key_id`]: accessKeyId, [`${keyPrefix}secret_access_key`]: secretAccessKey } = secrets;
  const { [`${keyPrefix}session_token`]: sessionToken } = secrets;
  const { profile, role_arn: role, external_id: externalId, sts_endpoint: stsEndpoint } = configs;
  const { role_session_name: sessionName } = configs;
  return {
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { keys: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) } }),
    ...(profile === undefined ? {} : { profile }),
    roles: role === undefined ? [] : [role],
    ...(externalId === undefined ? {} : { externalId }),
    ...(sessionName === undefined ? {} : { sessionName }),
    ...(stsEndpoint === undefined ? {} : { stsEndpoint }),
  };
}

/** Milliseconds before its end in which a session is no longer used. */
const renewedBefore = 5 * 60_000;

/**
 * What a client of AWS signs with: keys, or what assumes the roles (AWS STS, AssumeRole) when it is first asked and again
 * before a session ends. undefined: what AWS's own rules find.
 *
 * @param region of AWS STS; its SDK's rules where it is undefined
 */
export function awsCredentials(
  identity: AwsIdentity,
  region: string | undefined,
): AwsKeys | (() => Promise<TemporaryKeys>) | undefined {
  if (identity.roles.length === 0) return identity.keys;
  let assumed: Promise<TemporaryKeys> | undefined;
  return async () => {
    const before = assumed;
    const known = await before?.catch(() => undefined);
    const left = (known?.expiration?.getTime() ?? 0) - Date.now();
    // Of calls at the same time the first assumes the roles for all.
    if (left < renewedBefore && assumed === before) assumed = assumeRoles(identity, region);
    return await (assumed ?? assumeRoles(identity, region));
  };
}

async function assumeRoles(identity: AwsIdentity, region: string | undefined): Promise<TemporaryKeys> {
  const { keys, profile, roles, externalId, sessionName = 'unroll', stsEndpoint } = identity;
  requireExtra('awsRoles');
  const { fromNodeProviderChain, fromTemporaryCredentials } = await import('@aws-sdk/credential-providers');
  const requestHandler = await awsHttpHandler();
  type Master = NonNullable<Parameters<typeof fromTemporaryCredentials>[0]['masterCredentials']>;
  const first: Master = keys ?? fromNodeProviderChain(profile === undefined ? {} : { profile });
  const last = roles.reduce<Master>(
    (masterCredentials, RoleArn) =>
      fromTemporaryCredentials({
        masterCredentials,
        params: {
          RoleArn,
          RoleSessionName: sessionName,
          ...(externalId === undefined ? {} : { ExternalId: externalId }),
        },
        clientConfig: {
          requestHandler,
          ...(region === undefined ? {} : { region }),
          ...(profile === undefined ? {} : { profile }),
          ...(stsEndpoint === undefined ? {} : { endpoint: stsEndpoint }),
        },
      }),
    first,
  );
  try {
    return typeof last === 'function' ? await last() : last;
  } catch (thrown) {
    throw notAssumed(thrown as ServiceError, roles);
  }
}

interface ServiceError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Says that it was not the service itself that refused. */
function notAssumed({ name, message, $metadata: metadata }: ServiceError, roles: readonly string[]): ServiceError {
  const failure = new Error(`the role ${roles.join(', then ')} was not assumed: ${message}`);
  const status = metadata?.httpStatusCode;
  return Object.assign(failure, { name }, status === undefined ? {} : { $metadata: { httpStatusCode: status } });
}
