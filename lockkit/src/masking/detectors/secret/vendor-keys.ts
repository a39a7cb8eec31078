// Keys that no prefix gives away, known by the name of their service a few characters before: `datadog_x = 40 hex`.
// Hangs on the service names; the value must have the length and characters of that service's keys, and be mixed.
import type { Emit, View } from '../../detector.js';
import { entropyOf, isSample } from './not-a-secret.js';
import type { SecretFinder, SecretLook } from './secret-finder.js';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Service name → shape of its keys (case does not count). */
export const VENDOR_KEYS: Readonly<Record<string, string>> = {
  adafruit: '[a-z0-9_-]{32}',
  adobe: '[a-f0-9]{32}',
  airtable: '[a-z0-9]{17}',
  algolia: '[a-z0-9]{32}',
  alibaba: '[a-z0-9]{30}',
  asana: '[a-z0-9]{32}',
  atlassian: '[a-z0-9]{20}[a-f0-9]{4}',
  confluence: '[a-z0-9]{20}[a-f0-9]{4}',
  jira: '[a-z0-9]{20}[a-f0-9]{4}',
  beamer: 'b_[a-z0-9=_-]{44}',
  bitbucket: '[a-z0-9]{32}|[a-z0-9=_-]{64}',
  bittrex: '[a-z0-9]{32}',
  meraki: '[0-9a-f]{40}',
  cloudflare: '[a-z0-9_-]{40}|[a-f0-9]{37}',
  codecov: '[a-z0-9]{32}',
  cohere: '[a-z0-9]{40}',
  co_api_key: '[a-z0-9]{40}',
  coinbase: '[a-z0-9_-]{64}',
  confluent: '[a-z0-9]{16}|[a-z0-9]{64}',
  contentful: '[a-z0-9=_-]{43}',
  datadog: '[a-z0-9]{40}|[a-f0-9]{32}',
  discord: '[a-f0-9]{64}|[a-z0-9=_-]{32}',
  droneci: '[a-z0-9]{32}',
  dropbox: '[a-z0-9]{15}|[a-z0-9]{11}a{10}[a-z0-9=_-]{43}|sl\\.[a-z0-9=_-]{135}',
  etsy: '[a-z0-9]{24}',
  facebook: '[a-f0-9]{32}',
  fastly: '[a-z0-9=_-]{32}',
  finicity: '[a-f0-9]{32}|[a-z0-9]{20}',
  finnhub: '[a-z0-9]{20}',
  flickr: '[a-z0-9]{32}',
  freshbooks: '[a-z0-9]{64}',
  gitter: '[a-z0-9_-]{40}',
  heroku: UUID,
  hubspot: UUID,
  intercom: '[a-z0-9=_-]{60}',
  jfrog: '[a-z0-9]{64,73}',
  artifactory: '[a-z0-9]{64,73}',
  kraken: '[a-z0-9/=_+-]{80,90}',
  kucoin: `[a-f0-9]{24}|${UUID}`,
  launchdarkly: '[a-z0-9=_-]{40}',
  linear: '[a-f0-9]{32}',
  linkedin: '[a-z0-9]{14}|[a-z0-9]{16}',
  lob: '(?:live|test)_(?:pub_)?[a-f0-9]{31,35}',
  looker: '[a-z0-9]{20}|[a-z0-9]{24}',
  mailchimp: '[a-f0-9]{32}-us\\d\\d',
  mailgun: '(?:pub)?key-[a-f0-9]{32}|[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}',
  mattermost: '[a-z0-9]{26}',
  messagebird: `[a-z0-9]{25}|${UUID}`,
  netlify: '[a-z0-9=_-]{40,46}',
  newrelic: '[a-z0-9]{64}',
  nytimes: '[a-z0-9=_-]{32}',
  okta: '00[a-z0-9_=-]{40}',
  plaid: `[a-z0-9]{24}|[a-z0-9]{30}|access-(?:sandbox|development|production)-${UUID}`,
  privateai: '[a-z0-9]{32}',
  rapidapi: '[a-z0-9_-]{50}',
  sendbird: `[a-f0-9]{40}|${UUID}`,
  sentry: '[a-f0-9]{64}',
  snyk: UUID,
  sonar: '[a-z0-9=_-]{40}',
  sourcegraph: '[a-f0-9]{40}',
  squarespace: UUID,
  sumo_: 'su[a-z0-9]{12}|[a-z0-9]{64}',
  sumologic: 'su[a-z0-9]{12}|[a-z0-9]{64}',
  telegr: '[0-9]{5,16}:a[a-z0-9_-]{34}',
  travis: '[a-z0-9]{22}',
  trello: '[a-z0-9]{32}|[a-z0-9]{64}',
  twitch: '[a-z0-9]{30}',
  twitter: '[a-z0-9]{25}|[a-z0-9]{45}|[a-z0-9]{50}|[0-9]{15,25}-[a-z0-9]{20,40}|a{22}[a-z0-9%]{80,100}',
  yandex: 'yc[a-z0-9_-]{38}',
  zendesk: '[a-z0-9]{40}',
};

const NAMES = Object.keys(VENDOR_KEYS);
const BETWEEN = String.raw`[ \t\w.-]{0,20}[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`;
const SHAPES = NAMES.map(
  (name) => new RegExp(`${BETWEEN}(${VENDOR_KEYS[name]})(?=[\\x60'"\\s;,&<)}\\]]|\\\\[nr"]|$)`, 'iy'),
);
const MIN_ENTROPY = 3;

export const vendorKeys: SecretFinder = { literals: NAMES, open: openVendorKeys };

function openVendorKeys(view: View, emit: Emit): SecretLook {
  return {
    literal: (index, _start, end) => {
      const shape = SHAPES[index] as RegExp;
      shape.lastIndex = end;
      const value = shape.exec(view.text)?.[1];
      if (value === undefined || !isKey(value)) return;
      emit(shape.lastIndex - value.length, shape.lastIndex, `key of ${NAMES[index]}`);
    },
  };
}

function isKey(value: string): boolean {
  if (!/\d/.test(value) || /^[\d-]+$/.test(value) || isSample(value, MIN_ENTROPY)) return false;
  return entropyOf(value) >= MIN_ENTROPY;
}
