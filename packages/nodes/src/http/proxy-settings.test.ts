import { expect, test } from 'vitest';
import { proxySettings } from './proxy-settings.ts';

const schemes = ['http', 'https'];
const none = { httpProxy: '', httpsProxy: '', noProxy: '' };

test.for<readonly [environment: Record<string, string>, settings: object]>([
  [{}, none],
  [{ HTTPS_PROXY: '', https_proxy: '' }, none],
  [{ HTTPS_PROXY: 'http://u:p@proxy:8080' }, { ...none, httpsProxy: 'http://u:p@proxy:8080' }],
  [{ HTTPS_PROXY: 'proxy.corp:8080' }, { ...none, httpsProxy: 'http://proxy.corp:8080' }],
  [{ HTTP_PROXY: 'u:p@proxy:8080' }, { ...none, httpProxy: 'http://u:p@proxy:8080' }],
  [
    { HTTPS_PROXY: 'http://big', https_proxy: 'http://small' },
    { ...none, httpsProxy: 'http://small' },
  ],
  [{ NO_PROXY: 'localhost,.corp' }, { ...none, noProxy: 'localhost,.corp' }],
])('%j', ([environment, settings]) => {
  expect(proxySettings(environment, schemes)).toEqual(settings);
});

test.for(['http://u:secret@:bad', 'socks5://u:secret@proxy:1', 'http://u:se cret@', '://secret'])(
  '%s is refused without its words',
  (address) => {
    const told = 'HTTPS_PROXY is no address of a proxy that can be used: expected http://HOST:PORT (http, https)';
    expect(() => proxySettings({ HTTPS_PROXY: address }, schemes)).toThrow(told);
  },
);
