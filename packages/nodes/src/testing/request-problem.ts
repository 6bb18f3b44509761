/** Why a service refuses a request. */
export interface RequestProblem {
  readonly status: number;
  readonly message: string;
  readonly param?: string;
}
