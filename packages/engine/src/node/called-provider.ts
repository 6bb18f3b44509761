/** Who answers the calls of a model. */
export interface CalledProvider {
  /** As the semantic conventions of OpenTelemetry name it, where they do: `azure.ai.openai`. */
  readonly name: string;
  /** With its port: `api.example.com:443`; absent where nothing is asked over the network, or nobody says where. */
  readonly host?: string | undefined;
}
