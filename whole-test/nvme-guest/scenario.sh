# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# What the guest does, as root: every step prints "ok" or "FAILED" with its name; the number of
# failures is the exit status. The kernel's command line has csd.small and csd.big, the port and the
# NQN of two targets on the host, and csd.steps, which steps to run. A line "@host ..." asks the
# host for something and is answered by what then happens to the targets.
HOST=10.0.2.2
ID=7a1c2d3e-0f1e-4c3b-9a58-0123456789ab
failures=0

# A Java program with everything on its class path; a script, for another user to run too.
cat >/tmp/run-java <<'EOF'
exec java -Xmx640m -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -ea \
  --add-modules=jdk.management --enable-native-access=ALL-UNNAMED \
  -Djava.io.tmpdir=/tmp -Djna.tmpdir=/tmp -cp "/disk/test/classes:/disk/test/*" "$@"
EOF

argument() {
  sed -n "s/.*csd\.$1=\([^ ]*\).*/\1/p" /proc/cmdline
}

connect() { # NAME
  target=$(argument "$1")
  where="transport=tcp,traddr=$HOST,trsvcid=${target%%,*},nqn=${target#*,}"
  who="hostid=$ID,hostnqn=nqn.2014-08.org.nvmexpress:uuid:$ID"
  how="keep_alive_tmo=30,reconnect_delay=1,ctrl_loss_tmo=60"
  printf '%s' "$where,$who,$how" >/dev/nvme-fabrics
}

# The character device of a subsystem's namespace.
device() { # NAME
  target=$(argument "$1")
  for controller in /sys/class/nvme/nvme*; do
    [ "$(cat "$controller/subsysnqn")" = "${target#*,}" ] || continue
    for namespace in "$controller"/ng*n* "$controller"/nvme-subsys*/ng*n*; do
      [ -e "$namespace" ] && echo "/dev/${namespace##*/}" && return
    done
    number=${controller##*/nvme}
    echo "/dev/ng${number}n1"
    return
  done
}

step() { # NAME COMMAND...
  name=$1
  shift
  case ",$(argument steps)," in
    *,"$name",*) ;;
    *) return ;;
  esac
  start=$(date +%s)
  if "$@" >"/tmp/$name.log" 2>&1; then
    result=ok
  else
    result=FAILED
    failures=$((failures + 1))
  fi
  [ $result = ok ] || tail -n 60 "/tmp/$name.log"
  echo "$result: $name ($(($(date +%s) - start)) s)"
}

connected() {
  connect small && connect big || { dmesg | tail -n 20; return 1; }
  tries=0
  while [ $tries -lt 200 ]; do # a minute
    [ -c "$(device small)" ] && [ -c "$(device big)" ] && break
    sleep 0.3
    tries=$((tries + 1))
  done
  ls -l /dev/ng* /dev/nvme*
  [ -c "$(device small)" ] && [ -c "$(device big)" ]
}

# Everything that Java does, in one process; prints its own lines.
java_steps() {
  sh /tmp/run-java org.luceneoffload.guest.GuestSteps "$(device small)" "$(device big)" /dev/ng0n1 \
    "$(argument steps)"
}

# Somebody without the privilege is told which one is missing.
permission() {
  chmod 666 /dev/ng*
  echo "somebody:x:1000:1000::/tmp:/bin/sh" >/etc/passwd
  su somebody -c "sh /tmp/run-java org.luceneoffload.guest.ListDevices" >/tmp/permission.out 2>&1
  cat /tmp/permission.out
  grep -q "CAP_SYS_ADMIN" /tmp/permission.out
}

echo "guest: Linux $(uname -r)"
step connected connected
java_steps
failures=$((failures + $?))
step permission permission
exit $failures
