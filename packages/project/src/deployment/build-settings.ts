export interface BuildSettings {
  /** Folder that is written, seen from the project's. */
  readonly output: string;
  /** Whether a folder that is not empty is written into. */
  readonly force?: boolean;
  /** Folder of packed packages of ours, which go along; absent: the registry has them. */
  readonly packages?: string | undefined;
  /** Whether npm is asked for a package-lock.json. */
  readonly lock?: boolean;
  readonly connectionsFile?: string | undefined;
}
