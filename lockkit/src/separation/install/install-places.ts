// Where an installed lock lies on a machine. Read by the plan, the starter's text, doctor and the docs' tests.

export interface InstallPlaces {
  /** The root-owned copy of the program. */
  readonly library: string;
  /** The command that everybody runs. */
  readonly starter: string;
  /** `lox`, the window for every lock: of the lock that was installed first. */
  readonly window: string;
  readonly settingsFolder: string;
  readonly settingsFile: string;
  /** What install made and uninstall may take away. */
  readonly createdFile: string;
  readonly tmpfiles: string;
}

export function installPlaces(lock: string): InstallPlaces {
  return {
    library: `/usr/local/lib/${lock}`,
    starter: `/usr/local/bin/${lock}`,
    window: '/usr/local/bin/lox',
    settingsFolder: `/etc/${lock}`,
    settingsFile: `/etc/${lock}/system.toml`,
    createdFile: `/etc/${lock}/created`,
    tmpfiles: `/etc/tmpfiles.d/${lock}.conf`,
  };
}
