#!/bin/sh
# Stands for nvcc, a host compiler or ar. While a project is built it notes its command line and
# puts empty files where the outputs would be; while it is configured, and for questions, a real
# compiler does what was asked for.
root='@ROOT@'
program=${0##*/}
[ "${program#*-}" = "$program" ] || program=${program%-[0-9]*}

# A CMake that the build itself starts tries its compilers in these folders.
building=
case $PWD/ in
  */CMakeFiles/CMakeScratch/* | */CMakeFiles/CMakeTmp/* | */CMakeFiles/*/CompilerId*) ;;
  *) [ ! -e "$root/building" ] || building=yes ;;
esac

if [ -n "$building" ]; then
  note=$(mktemp "$root/commands/XXXXXXXXXX") || exit 1
  {
    printf '%s\0' "${0##*/}" "$PWD"
    before=
    for w; do
      printf '%s\0' "$w"
      case $before in --options-file | -optf) file=$w ;; *) file=${w#@} ;; esac
      if [ "$file" != "$w" ] || [ "$before" = --options-file ] || [ "$before" = -optf ]; then
        [ ! -f "$file" ] || { tr '\n\0' '  ' < "$file"; printf '\0'; }
      fi
      before=$w
    done
  } > "$note"
fi

inputs= output= run= mode=link folder= language= verbose= forward= wanted= depends= target=
newline='
'

# What is told to the real compiler goes to the end of the arguments, behind the $left to look at.
left=$#
nvcc_words() {
  while [ "$left" -gt 0 ]; do
    w=$1
    shift
    left=$((left - 1))
    case $w in
      --*=* | -[a-zA-Z]*=*) name=${w%%=*} value=${w#*=} joined=yes ;;
      *) name=$w value=$1 joined= ;;
    esac
    takes=
    case $name in
      @TAKES@) takes=yes ;;
      -D* | -U* | -I* | -L* | -l* | -O*) name=$w joined= ;;
      @KNOWN@) [ -z "$joined" ] || takes=yes ;;
      -*) name=unknown ;;
      *) name=input ;;
    esac
    if [ -n "$takes" ] && [ -z "$joined" ]; then
      shift
      left=$((left - 1))
    fi
    case $name in
      input)
        inputs=$inputs$newline$w
        case $w in
          *.cu) set -- "$@" -x cuda "$w" -x none ;;
          *) if [ "$language" = cu ]; then set -- "$@" -x cuda "$w" -x none; else set -- "$@" "$w"; fi ;;
        esac
        ;;
      unknown)
        if [ -z "$forward" ]; then
          echo "nvcc fatal   : Unknown option '$w'" >&2
          exit 1
        fi
        set -- "$@" "$w"
        ;;
      --forward-unknown-* | -forward-unknown-*) forward=yes ;;
      -o | --output-file) output=$value ;;
      -c | --compile | -dc | --device-c | -dw | --device-w) mode=compile ;;
      -ptx | --ptx | -cubin | --cubin | -fatbin | --fatbin | -optix-ir | --optix-ir | -ltoir | --ltoir) mode=device ;;
      -cuda | --cuda | -dlink | --device-link) mode=device ;;
      -lib | --lib) mode=lib ;;
      -E | --preprocess) mode=text text=-E ;;
      -M | --generate-dependencies) mode=text text=-M ;;
      -MM | --generate-nonsystem-dependencies) mode=text text=-MM ;;
      -MD | -MMD | --generate-*dependencies-with-compile) wanted=yes ;;
      -MF | --dependency-output) depends=$value ;;
      -MT | --dependency-target-name) target=$value ;;
      -odir | --output-directory) folder=$value/ ;;
      -x | --x) language=$value ;;
      -v | --verbose) verbose=yes ;;
      -run | --run) run=yes ;;
      -dryrun | --dryrun) verbose=yes mode=dryrun ;;
      -V | --version) mode=version ;;
      -h | --help) mode=help ;;
      -code-ls | --list-gpu-code | -arch-ls | --list-gpu-arch) mode=list ;;
      -std | --std) set -- "$@" "-std=$value" ;;
      -shared | --shared) set -- "$@" -shared ;;
      -isystem | --system-include) set -- "$@" -isystem "$value" ;;
      -include | --pre-include) set -- "$@" -include "$value" ;;
      --define-macro) set -- "$@" "-D$value" ;;
      --include-path) set -- "$@" "-I$value" ;;
      --library-path) set -- "$@" "-L$value" ;;
      --library) set -- "$@" "-l$value" ;;
      -[DUIL] | -l) set -- "$@" "$name$value" ;;
      -O | --optimize) ;;
      -D* | -U* | -I* | -L* | -l*) set -- "$@" "$w" ;;
      -Xcompiler | --compiler-options)
        while [ -n "$value" ]; do
          one=${value%%,*}
          case $value in *,*) value=${value#*,} ;; *) value= ;; esac
          case $one in -[fWDmp]*) set -- "$@" "$one" ;; esac
        done
        ;;
    esac
  done
  nvcc_run "$@"
}

host_words() {
  while [ "$left" -gt 0 ]; do
    w=$1
    shift
    left=$((left - 1))
    set -- "$@" "$w"
    case $w in
      -o) output=$1 ;;
      -MF) depends=$1 ;;
      -MT | -MQ) target=$1 ;;
    esac
    case $w in
      -[oDUILlxTuz] | -M[FTQ] | -include | -imacros | -isystem | -iquote | -idirafter | -isysroot \
        | -Xlinker | -Xclang | -Xpreprocessor | -Xassembler | -target | --param | -arch | -rpath)
        set -- "$@" "$1"
        shift
        left=$((left - 1))
        ;;
      -o?*) output=${w#-o} ;;
      -c) mode=compile ;;
      -S) mode=assembly ;;
      -E | -M | -MM) mode=text ;;
      -MD | -MMD) wanted=yes ;;
      -fsyntax-only) mode=nothing ;;
      -) mode=text ;;
      -*) ;;
      *) inputs=$inputs$newline$w ;;
    esac
  done
  host_run "$@"
}

put() { # put KIND FILE
  mkdir -p "$(dirname "$2")" && cp "$root/outputs/$1" "$2" || exit 1
}

# Writes what a compiler would.
outputs() {
  suffix=o
  [ "$mode" != device ] || suffix=bin
  [ "$mode" != assembly ] || suffix=s
  kind=program
  case " $* " in *" -shared "*) kind=library ;; esac
  case $mode in
    compile | device | assembly)
      if [ -n "$output" ]; then
        put object "$output"
      else
        while IFS= read -r one; do
          [ -z "$one" ] && continue
          one=${one##*/}
          output=$folder${one%.*}.$suffix
          put object "$output"
        done <<END
$inputs
END
      fi
      ;;
    link) put "$kind" "${output:-a.out}" ;;
    lib) put archive "${output:-a.a}" ;;
  esac
  if [ -n "$wanted$depends" ]; then
    printf '%s:%s\n' "${target:-$output}" "$(printf %s "$inputs" | tr '\n' ' ')" \
      > "${depends:-${output%.*}.d}"
  fi
  exit 0
}

host_run() {
  if [ -z "$building" ] || [ -z "$inputs" ] || [ $mode = text ]; then
    case $program in *++) exec "$root/real/c++" "$@" ;; *) exec "$root/real/cc" "$@" ;; esac
  fi
  outputs "$@"
}

# The lines that say where the toolkit is, as the programs that ask for them read them.
tell() {
  echo "#\$ _CUDART_=cudart"
  echo "#\$ TOP=$root"
  echo "#\$ NVVMIR_LIBRARY_DIR=$root/nvvm/libdevice"
  echo "#\$ PATH=$root/bin:$PATH"
  echo "#\$ INCLUDES=\"-I$root/include\" "
  echo "#\$ LIBRARIES= \"-L$root/lib64/stubs\" \"-L$root/lib64\""
  echo "#\$ cicc -arch compute_52 \"a.cpp1.ii\" -o \"a.ptx\""
  if [ "$mode" != compile ]; then
    echo "#\$ nvlink -arch=sm_52 \"a.o\" -o \"a_dlink.cubin\""
    echo "#\$ $root/bin/g++ -m64 -o \"${output:-a.out}\" -Wl,--start-group \"a_dlink.o\" \"a.o\"" \
      "\"-L$root/lib64/stubs\" \"-L$root/lib64\" -lcudadevrt -lcudart_static -lrt -lpthread -ldl" \
      "-Wl,--end-group"
  fi
}

nvcc_run() {
  case $mode in
    version)
      echo 'nvcc: NVIDIA (R) Cuda compiler driver'
      echo "rocport's stand-in for it, which compiles no device code"
      echo 'Cuda compilation tools, release 12.8, V12.8.0'
      exit 0
      ;;
    help)
      echo 'Usage: nvcc [options] <inputfile>'
      exit 0
      ;;
    list)
      printf '%s\n' 50 52 53 60 61 62 70 72 75 80 86 87 89 90 100 120 | sed 's/^/compute_/'
      exit 0
      ;;
  esac
  [ -z "$verbose" ] || tell >&2
  if [ -z "$inputs" ]; then
    echo 'nvcc fatal   : No input files specified; use option --help for more information' >&2
    exit 1
  fi
  [ $mode != dryrun ] || exit 0
  if [ -n "$building" ] && [ $mode != text ]; then
    outputs "$@"
  fi
  [ -z "$output" ] || set -- "$@" -o "$output"
  case $mode in
    compile) set -- -c "$@" ;;
    text) set -- "$text" "$@" ;;
    device) put object "${output:-a.bin}"; exit 0 ;;
    lib) put archive "${output:-a.a}"; exit 0 ;;
    link) set -- "$@" -L"$root/lib64" -lcudart_static ;;
  esac
  if [ -n "$run" ]; then
    ready=$(printf %s "$inputs" | tr -d '"\n')
    [ ! -x "$ready" ] || exec "$ready"
    program=${output:-$(mktemp)}
    "$root/real/cuda" "$@" -o "$program" || exit 1
    case $program in */*) ;; *) program=./$program ;; esac
    "$program"
    exit $?
  fi
  exec "$root/real/cuda" "$@"
}

case $program in
  nvcc) nvcc_words "$@" ;;
  fatbinary | nvlink | ptxas | cuobjdump | nvdisasm | nvprune | bin2c)
    while [ $# -gt 0 ]; do
      case $1 in -o) put object "$2" ;; -o=* | --output-file=*) put object "${1#*=}" ;; esac
      shift
    done
    ;;
  ar | ranlib)
    if [ -n "$building" ] && [ $# -gt 0 ]; then
      for w; do
        case $w in *.a) [ -e "$w" ] || put archive "$w"; exit 0 ;; esac
      done
    fi
    case $program in ar) exec "$root/real/ar" "$@" ;; *) exit 0 ;; esac
    ;;
  *) host_words "$@" ;;
esac
