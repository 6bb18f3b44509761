import { options, type VNode } from 'preact';
import { exportedPage, isExported } from './exported-page.ts';

/**
 * The address of the view. A file knows no paths: an exported page keeps it behind `#`.
 *
 * @returns path and query, as a server would be asked
 */
export function shownAddress(): { readonly path: string; readonly search: string } {
  if (exportedPage === undefined) return { path: window.location.pathname, search: window.location.search };
  const { hash } = window.location;
  const [path = '', ...query] = (hash.startsWith('#/') ? hash.slice(1) : exportedPage.start).split('?');
  return { path, search: query.length === 0 ? '' : `?${query.join('?')}` };
}

/** As a link of this page says it. */
export function linkTo(address: string): string {
  return exportedPage === undefined ? address : `#${address}`;
}

/**
 * In an export every link to a view stands behind `#`, whoever draws it, so that it can be copied and opened in another tab; what
 * would lead to a view that is not in the export is no link.
 */
export function writeLinksForFiles(): void {
  if (exportedPage === undefined) return;
  const before = options.vnode;
  options.vnode = (node: VNode<{ href?: unknown }>) => {
    const { href } = node.props;
    if (node.type === 'a' && typeof href === 'string' && href.startsWith('/')) {
      if (isExported(href)) node.props.href = linkTo(href);
      else delete node.props.href;
    }
    before?.(node);
  };
}
