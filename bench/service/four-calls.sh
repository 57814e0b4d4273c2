#!/usr/bin/env bash
# What a person would write without Timbre: four calls a recording, one after the other. Arguments: address, recording, folder, count.
set -euo pipefail
field() { sed -E "s/.*\"$1\":\"([^\"]+)\".*/\1/"; }
for i in $(seq 1 "$4"); do
  task=$(curl -sS "$1/api/createaudiofilechanger" -H 'content-type: application/json' \
    -d '{"voice":"v","from":"fv-file-changer","operation":"FVC","engine":"v5"}' | field taskId)
  curl -sS "$1/api/uploadaudiofile/$task" -H 'changer-type: FVC' -F "audioFile=@$2" >/dev/null
  address=$(curl -sS "$1/api/changeaudiofile" -H 'content-type: application/json' \
    -d "{\"uuid\":\"$task\",\"voice\":\"v\",\"pitch\":1,\"speed\":1,\"outputFormat\":\".wav\"}" | field audioUrl)
  curl -sS -o "$3/$i.wav" "$address"
done
