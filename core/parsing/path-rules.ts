/**
 * Finds the part of a file's path that a shell or systemd would have replaced, and that nothing else replaces: "must
 * have …", without repeating the path. Null without such a part. A file whose name begins with `~` can be named by
 * `./`.
 */
export function unexpandedIn(path: string): string | null {
  if (path.startsWith('~')) return 'must have the home folder itself in place of ~, which nothing expands here';
  const isVariable = /\$(?:[A-Za-z_]|\{|\()/.test(path) || /%(?:[A-Za-z]\b|[A-Za-z_]+%)/.test(path);
  return isVariable ? 'must have the value itself in place of $NAME, ${NAME} or %h, which nothing expands here' : null;
}
