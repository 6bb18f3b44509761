/** Entra identity as the environment gives it (variables, managed identity, `az login`); the only door to @azure/identity. */
export async function azureTokenProvider(
  scope = 'https://cognitiveservices.azure.com/.default',
): Promise<() => Promise<string>> {
  const { DefaultAzureCredential, getBearerTokenProvider } = await import('@azure/identity');
  return getBearerTokenProvider(new DefaultAzureCredential(), scope);
}
