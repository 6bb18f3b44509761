/** What an operating system refuses, in the words of its own messages. */
const words: Readonly<Record<string, string>> = {
  EROFS: 'read-only file system',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk gave an error',
  EFBIG: 'it is larger than files may be here',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'its name is too long',
  EISDIR: 'it is a folder',
  ERR_FS_EISDIR: 'it is a folder',
  ENOTDIR: 'a file stands where a folder is wanted',
  // What `makeFolder` meets: a file of the folder's name.
  EEXIST: 'a file stands where a folder is wanted',
};

/** Why the system refused something; undefined for any other error. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  // Some functions of Node give no code.
  return words[code ?? ''] ?? (/read-only file system/i.test(error.message) ? words['EROFS'] : undefined);
}
