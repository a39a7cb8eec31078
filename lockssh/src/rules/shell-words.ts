// The names that a login shell takes for itself instead of running a file: builtins and reserved words of bash,
// dash, zsh, ksh93, mksh, tcsh, fish and busybox ash. Called by the rule parser and, before a line is sent, for
// rules and tickets alike. A name is compared as it stands: shells do, and a path is never a builtin.
// It must never let a name pass because one shell does not know it.

const POSIX_WORDS = `. : ! { } alias bg break case cd command continue do done elif else esac eval exec exit export
  fc fg fi for getopts hash if in jobs read readonly return set shift then times trap type ulimit umask unalias
  unset until wait while`;

const BASH_WORDS = `[[ ]] bind builtin caller compgen complete compopt coproc declare dirs disown enable function
  help history let local logout mapfile popd pushd readarray select shopt source suspend time typeset`;

const ZSH_WORDS = `- autoload bindkey builtin bye cap chdir clone compadd comparguments compcall compctl compdescribe
  compfiles compgroups compquote compset comptags comptry compvalues coproc declare dirs disable disown echotc echoti
  emulate enable end float foreach function functions getln hashinfo history integer let limit local log logout mem
  nocorrect noglob patdebug pcre_compile pcre_match pcre_study popd print private pushd pushln r rehash repeat sched
  select setopt source strftime suspend syserror sysopen sysread sysseek syswrite time ttyctl typeset unfunction
  unhash unlimit unsetopt vared whence where zcompile zcurses zdelattr zformat zftp zgdbmpath zgetattr zle zlistattr
  zmodload zparseopts zprof zpty zregexparse zselect zsetattr zsocket zstat zstyle zsystem ztcp ztie zuntie`;

const KSH_WORDS = `(( )) [[ ]] autoload bind builtin compound disown dot enum float function functions global hist
  history integer let local login_shell nameref namespace print r redirect select source stop suspend time typeset
  whence`;

const TCSH_WORDS = `% @ aliases alloc bindkey breaksw bs2cmd builtins bye chdir complete default dirs dmmode echotc
  else end endif endsw filetest foreach getspath getxvers glob goto hashstat history hup inlib limit log logout
  ls-F migrate notify onintr popd pushd rehash repeat rmpath sched setenv setpath setspath settc setty setxvers
  source stop suspend switch telltc termname time treat uncomplete unhash universe unlimit unsetenv ver warp
  watchlog where`;

const FISH_WORDS = `_ abbr and argparse begin bind block breakpoint builtin commandline complete contains count
  disown emit end function functions history math not or path random set_color source status string switch time`;

const BUSYBOX_WORDS = `[[ chdir help history let local source`;

/**
 * Builtins of some shell that are also ordinary program files. A rule may name them: where the shell would run
 * its own, the remote line reaches the file (docs/decisions.md, "lockssh").
 */
export const PROGRAMS_TOO: ReadonlySet<string> =
  words(`[ basename cat chgrp chmod chown cp cut dirname echo false
  getcap getconf kill ln login ls mkdir mknod mktemp mv newgrp nice nohup printenv printf pwd realpath rename rm
  rmdir setcap sleep stat sync test true which`);

const SHELL_WORDS: ReadonlySet<string> = words(
  [POSIX_WORDS, BASH_WORDS, ZSH_WORDS, KSH_WORDS, TCSH_WORDS, FISH_WORDS, BUSYBOX_WORDS].join(' '),
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** True when no file may be expected behind this program name: some login shell would run its own word. */
export function isShellBuiltin(name: string): boolean {
  return SHELL_WORDS.has(name) && !PROGRAMS_TOO.has(name);
}
