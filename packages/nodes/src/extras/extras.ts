import { findPackageJSON } from 'node:module';
import { PrepareError } from '@unroll/engine/values';

/** What only some flows need, by what they need it for; each package is an optional peer of ours, at this version: the major one, or the minor one of 0. */
const extras = {
  openai: { use: 'a model behind the API of OpenAI', packages: ['openai@7'] },
  pdf: { use: 'reading PDF files', packages: ['pdfjs-dist@6'] },
  word: { use: 'reading Word files', packages: ['mammoth@1'] },
  azureSearch: { use: 'Azure AI Search', packages: ['@azure/search-documents@13'] },
  entra: { use: 'the Entra identity (auth_mode: meid_token)', packages: ['@azure/identity@4'] },
  bedrock: {
    use: 'Amazon Bedrock',
    packages: ['@aws-sdk/client-bedrock-runtime@3', '@smithy/node-http-handler@4'],
  },
  lambda: { use: 'AWS Lambda', packages: ['@aws-sdk/client-lambda@3', '@smithy/node-http-handler@4'] },
  awsRoles: {
    use: 'assuming a role of AWS',
    packages: ['@aws-sdk/credential-providers@3', '@smithy/node-http-handler@4'],
  },
  mcp: { use: 'an MCP server', packages: ['@modelcontextprotocol/sdk@1'] },
  mcpServer: { use: 'serving flows as MCP tools', packages: ['@modelcontextprotocol/sdk@1'] },
  otlp: {
    use: 'sending spans over OTLP',
    packages: [
      '@opentelemetry/api@1',
      '@opentelemetry/exporter-metrics-otlp-proto@0.301',
      '@opentelemetry/exporter-trace-otlp-proto@0.301',
      '@opentelemetry/resources@3',
      '@opentelemetry/sdk-metrics@3',
      '@opentelemetry/sdk-trace@3',
    ],
  },
} as const satisfies Readonly<Record<string, { readonly use: string; readonly packages: readonly string[] }>>;

export type Extra = keyof typeof extras;

/** Packages that are needed for something and not installed. */
export interface MissingExtra {
  /** `Azure AI Search needs @azure/search-documents, which is not installed`. */
  readonly message: string;
  /** The command that installs them. */
  readonly install: string;
}

/** @param from URL of the file beside which packages are looked for, as Node does */
export function missingExtra(extra: Extra, from: string = import.meta.url): MissingExtra | undefined {
  const { use, packages } = extras[extra];
  const absent = packages.filter((one) => !isInstalled(nameOf(one), from));
  if (absent.length === 0) return undefined;
  const message = `${use} needs ${absent.map(nameOf).join(' and ')}, which ${absent.length === 1 ? 'is' : 'are'} not installed`;
  return { message, install: `npm install ${absent.join(' ')}` };
}

/** Called before a package is imported. @throws PrepareError in one line, with the command that installs what is missing */
export function requireExtra(extra: Extra): void {
  const missing = missingExtra(extra);
  if (missing === undefined) return;
  const message = `${missing.message}: ${missing.install}`;
  throw new PrepareError({ code: 'PackageMissing', message, retryable: false });
}

/**
 * For a package that the command line has in its bundle, where none is installed: what its import is rejected with.
 *
 * @throws PrepareError as `requireExtra` does, else `error` itself
 */
export function throwMissing(extra: Extra, error: unknown): never {
  if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') requireExtra(extra);
  throw error;
}

/** What an extra is made of, as `name@version`. */
export function packagesOf(extra: Extra): readonly string[] {
  return extras[extra].packages;
}

/** What every extra is made of, as `name@version`. */
export function extraPackages(): readonly string[] {
  return [...new Set(Object.values(extras).flatMap(({ packages }): readonly string[] => packages))];
}

const nameOf = (pinned: string): string => pinned.slice(0, pinned.lastIndexOf('@'));

function isInstalled(name: string, from: string): boolean {
  try {
    return findPackageJSON(name, from) !== undefined;
  } catch {
    return false;
  }
}
