// Programs that run others, write, read, reach the network or disguise text by their arguments. Read by the review.
// Written by scripts/risky-programs.mjs from conformance/cases/programs.json; a safety net, not a complete list: a
// program that is missing here is not safe for that.

/** `withoutDash`: the kinds among exec and write that need no argument starting with - or +. Names: lower case. */
export const RISKY_PROGRAM_GROUPS = [
  {
    kinds: 'exec network',
    withoutDash: '',
    names: `
    autossh cvs hping3 influx lftp mosh ncat netcat socket`,
  },
  {
    kinds: 'exec network',
    withoutDash: 'exec',
    names: `
    az gcloud gdbserver gem npm npx pip3 restic tclsh telnet`,
  },
  {
    kinds: 'exec read network',
    withoutDash: '',
    names: `
    links mail mailx mtr mutt vault w3m`,
  },
  {
    kinds: 'exec read',
    withoutDash: '',
    names: `
    ag apache2 bconsole exim fastfetch groff httpd latexmk msgfilter neofetch openvpn pic rg rview ssh-add
    systemd-analyze troff`,
  },
  {
    kinds: 'exec read',
    withoutDash: 'exec',
    names: `
    dotnet expect m4 man more nroff pg rake rvim tmux view vimdiff xargs`,
  },
  {
    kinds: 'exec write network',
    withoutDash: '',
    names: `
    code ftp gpg psql rpm yt-dlp`,
  },
  {
    kinds: 'exec write network',
    withoutDash: 'exec write',
    names: `
    apk apt apt-get busybox helm ipmitool podman sftp tailscale yum`,
  },
  {
    kinds: 'exec write network',
    withoutDash: 'exec',
    names: `
    gh hg pip smbclient`,
  },
  {
    kinds: 'exec write network',
    withoutDash: 'write',
    names: `
    nc scp sshfs svn`,
  },
  {
    kinds: 'exec write read network',
    withoutDash: '',
    names: `
    cpio curl jjs jrunscript lynx nginx nmap openssl pandoc xmllint`,
  },
  {
    kinds: 'exec write read network',
    withoutDash: 'exec write',
    names: `
    aws docker gawk git go kubectl nawk redis-cli socat ssh tar`,
  },
  {
    kinds: 'exec write read network',
    withoutDash: 'exec',
    names: `
    bash ipython julia ksh ksh93 loksh lua micropython node nodejs oksh pdksh perl php pypy python rksh ruby
    zsh`,
  },
  {
    kinds: 'exec write read network',
    withoutDash: 'write',
    names: `
    aria2c ffmpeg rsync wget`,
  },
  {
    kinds: 'exec write read',
    withoutDash: '',
    names: `
    c89 c99 cc clang dmesg file g++ gcc info ld octave rustc sendmail sort ssh-keygen tcpdump tex tshark`,
  },
  {
    kinds: 'exec write read',
    withoutDash: 'exec write',
    names: `
    awk convert ed evim goawk gview gvim ip mawk mount nvim original-awk puppet rgvim sed sqlite sqlite3
    supervisorctl sysctl vi vim`,
  },
  {
    kinds: 'exec write read',
    withoutDash: 'exec',
    names: `
    cmake csvtool elvish find journalctl jshell less logrotate ltrace make strace terraform top`,
  },
  {
    kinds: 'exec write read',
    withoutDash: 'write',
    names: `
    7z apache2ctl crontab emacs emacsclient exiftool latex nano pdflatex pico red split ssh-copy-id xelatex
    zip`,
  },
  {
    kinds: 'exec write',
    withoutDash: '',
    names: `
    dnsmasq dpkg gtester htop ip6tables iptables iptables-save keytool pacman qemu-system-x86_64 rsyslogd
    sdiff start-stop-daemon`,
  },
  {
    kinds: 'exec write',
    withoutDash: 'exec write',
    names: `
    aptitude consul dmsetup dnf etcdctl ex fail2ban-client flatpak flock loginctl machinectl magick nohup
    pm2 script systemctl timedatectl udevadm virsh zypper`,
  },
  {
    kinds: 'exec write',
    withoutDash: 'exec',
    names: `
    ash bpftrace coredumpctl csh dash gdb gs libreoffice parallel perf prlimit pwsh rlwrap screen tcsh time
    valgrind visudo wireshark`,
  },
  {
    kinds: 'exec write',
    withoutDash: 'write',
    names: `
    apachectl bsdtar certbot depmod install iptables-restore joe ldconfig mariadb modprobe mysql patch
    postfix sudoedit`,
  },
  {
    kinds: 'exec',
    withoutDash: '',
    names: `
    acme.sh acr agetty anacron apport-cli apropos apt-cache asterisk autoconf autoheader autoreconf bat
    batcat batch borg byebug cabal capsh cdist check_by_ssh check_ssl_cert chef-client clisp cmd cobc cowsay
    cowthink cpan cpulimit cqlsh crash dc debugfs dhclient diff3 dstat dvips easyrsa enscript fd forge fzf
    genie ghc ghci gimp ginsh gnuplot grc guile haproxy iftop irb jtag k9s knife ksu lldb logsave lualatex
    luatex lxd minicom mosh-server most msfconsole ncdu ncftp needrestart openvt opkg pdftex perlbug php-fpm
    pidstat pinfo pkg plymouth powershell psftp r ranger rpmdb rpmquery rpmverify scanmem scrot sg slsh
    sqlmap sshuttle systemd-resolve tasksh tdbtool tmate ugrep volatility xdotool xetex zathura zic`,
  },
  {
    kinds: 'exec',
    withoutDash: 'exec',
    names: `
    [ aa-exec ack ansible ansible-playbook ansible-test ant aoss arch-nspawn at bashbug bee brew buildah bun
    bundle bundler busctl byobu bzr cargo catchsegv cgexec choom chroot chrt claude codex colordiff composer
    conda crictl ctest ctr daemon daemonize dbus-send deno distcc doas docker-compose easy_install eb entr
    env facter firejail fish gdbus gmake gradle groovy insmod invoke-rc.d ionice ispell java ld.so ldd
    linux32 linux64 luajit lxc lxc-attach mksh mongo mongosh monit multitime mvn nerdctl nice ninja nsenter
    nu numactl oc opencode pdb pexec pipx pkexec pnpm poetry posh printf procmail pry rbash rc rscript
    rtorrent run-mailcap run-parts run0 runc runscript runuser rustup salt salt-call sash scala service
    setarch setlock setpriv setsid sh snap softlimit ssh-agent sshpass stdbuf su sudo sudo-rs systemd-cat
    systemd-inhibit systemd-nspawn systemd-run task taskset test timeout torify torsocks toybox unbuffer
    unshare uv vagrant vigr vipw watch wg-quick wish xdg-open xdg-user-dir xonsh yarn yash zless`,
  },
  {
    kinds: 'network',
    withoutDash: '',
    names: `
    cancel host nslookup ping rlogin snmpget traceroute`,
  },
  {
    kinds: 'read disguise',
    withoutDash: '',
    names: `
    ascii-xfr ascii85 base32 base58 basenc basez column cut fmt fold hd hexdump jq nl od paste pr rev tac tr
    uuencode`,
  },
  {
    kinds: 'read network',
    withoutDash: '',
    names: `
    dig ffprobe ldapsearch lp lspci ssh-keyscan`,
  },
  {
    kinds: 'read',
    withoutDash: '',
    names: `
    alpine aspell atobm bbot bc cat check_cups check_memory check_raid check_statusfile clamscan cmp col
    comm cupsfilter dialog diff dpkg-query du efax egrep eqn espeak expand fgrep figlet findmnt fping gcore
    genisoimage grep head highlight join ksshell last lastb locate look ls lwp-request mosquitto msgattrib
    msgcat msgconv msgmerge msguniq nasm nm printenv ps ptx pygmentize pyright qpdf readelf redcarpet
    rustfmt scriptreplay sleep soelim stat strings tail tbl tic ul unexpand urlget wc whiptail who xmodmap
    xmore xpad yelp yes zcat zsoelim`,
  },
  {
    kinds: 'write network',
    withoutDash: '',
    names: `
    ab mariadb-dump mysqldump pg_dump vlc whois`,
  },
  {
    kinds: 'write network',
    withoutDash: 'write',
    names: `
    ansible-galaxy finger lpr skopeo tftp xsltproc`,
  },
  {
    kinds: 'write read disguise',
    withoutDash: '',
    names: `
    base64`,
  },
  {
    kinds: 'write read disguise',
    withoutDash: 'write',
    names: `
    xxd`,
  },
  {
    kinds: 'write read network',
    withoutDash: 'write',
    names: `
    logger lwp-download wkhtmltopdf`,
  },
  {
    kinds: 'write read',
    withoutDash: '',
    names: `
    arp as atop blkid check_log dmidecode dos2unix dosbox iconv lsof mypy pax rustdoc sar shuf smartctl ss
    tsc yq`,
  },
  {
    kinds: 'write read',
    withoutDash: 'write',
    names: `
    7za ar arj bridge bzip2 cp csplit date dd getent gzip hostname nft ntpdate setfacl tc uniq wall wg xz
    zgrep`,
  },
  {
    kinds: 'write',
    withoutDash: '',
    names: `
    alternatives certutil chpasswd dpkg-deb dumpcap ethtool firewall-cmd fuser hashcat hdparm hwclock
    lastlog redis setterm update-alternatives varnishncsa`,
  },
  {
    kinds: 'write',
    withoutDash: 'write',
    names: `
    apt-key chage chattr chgrp chmod chown chronyc compress domainname fdisk fsck gpasswd gunzip halt
    hostnamectl ifconfig init ipset iw kill killall link ln localectl losetup lz4 mesg mkdir mkfifo mkfs
    mknod mktemp mv networkctl nmcli nvme parted passwd pdftoppm pdftotext pkill postconf poweroff reboot
    renice reset resolvectl rm rmdir route setcap shred shutdown systemd-tmpfiles tee telinit touch tput
    truncate ufw umount unlink unsquashfs unzip useradd userdel usermod write zstd`,
  },
] as const;
