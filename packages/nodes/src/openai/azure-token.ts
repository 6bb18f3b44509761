import { requireExtra } from '../extras/extras.ts';

/** Entra identity as the environment gives it (variables, managed identity, `az login`); the only door to @azure/identity. @throws PrepareError where that is not installed */
export async function azureTokenProvider(
  scope = 'https://cognitiveservices.azure.com/.default',
): Promise<() => Promise<string>> {
  requireExtra('entra');
  const { DefaultAzureCredential, getBearerTokenProvider } = await import('@azure/identity');
  return getBearerTokenProvider(new DefaultAzureCredential(), scope);
}
