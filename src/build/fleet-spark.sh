#!/usr/bin/env bash
# Starts a master or a worker of a standalone Spark cluster, with the libraries of the fleet program: a cluster needs no other
# installation of Spark.
# usage: fleet-spark.sh master [OPTION...] | fleet-spark.sh worker spark://HOST:7077 [OPTION...]
# The options are those of Spark: --host, --port, --webui-port; --cores, --memory, --work-dir of a worker.
set -euo pipefail
cd "$(dirname "$0")/../.."
. src/build/jdk.sh
role=${1-}
case $role in
  master) class=org.apache.spark.deploy.master.Master ;;
  worker) class=org.apache.spark.deploy.worker.Worker ;;
  *)
    echo "usage: fleet-spark.sh master [OPTION...] | fleet-spark.sh worker spark://HOST:7077 [OPTION...]" >&2
    exit 2
    ;;
esac
shift
bash src/build/fleet.sh
export SPARK_HOME=$PWD/fleet/target/spark SPARK_SCALA_VERSION=2.13 JAVA_HOME=$ROCPORT_JDK
mkdir -p "$SPARK_HOME"
ln -sfn ../lib "$SPARK_HOME/jars"
# Without the property, the master ends an application that has lost ten executors.
exec "$ROCPORT_JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m -Dspark.deploy.maxExecutorRetries=-1 \
  -cp "fleet/target/lib/*" "$class" "$@"
