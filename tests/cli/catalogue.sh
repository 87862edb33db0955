#!/usr/bin/env bash
# The catalogue: what it lists, what it works out for a size and a date, tiers in a user's own file.
source "$(dirname "$0")/check.sh" "$1"

says() { grep -Eq -- "$2" output && pass || fail "$1" "does not say /$2/: $(head -n 20 output)"; }
is_json() { python3 -m json.tool <output >/dev/null 2>&1 && pass || fail "$1" 'is no JSON'; }

premium=(catalogue tiers azure-files/premium)
expect 'sections' 0 '' "$vdisim" catalogue
says 'sections' '^  azure-files/ssd-v2 '
expect 'an entry' 0 '' "$vdisim" "${premium[@]}"
says 'an entry' 'base_iops: Citrix.* says 10,240 baseline IOPS; used here: 10,640'
expect 'a size and a date' 0 '' "$vdisim" "${premium[@]}" --size 10TiB --date 2021-01
says 'a size and a date' 'baseline +10,640 IOPS +400 \+ 1 x 10,240 GiB, at most 100,000'
says 'a size and a date' 'lasts at the burst limit +60 min'
says 'a size and a date' '^Sources disagree about base_iops\. .* says 10,240 baseline IOPS\. Used here: 10,640'
expect 'stores are tiers' 0 '' "$vdisim" catalogue stores azure-files/premium --size 10TiB --rules B
says 'stores are tiers' 'baseline +10,640 IOPS'
expect 'no contradiction at another size' 0 '' "$vdisim" "${premium[@]}" --size 5TiB --date 2021-01
grep -q '10,240 baseline' output && fail 'no contradiction at another size' 'warns of that of 10 TiB' || pass
expect 'bought apart' 0 '' "$vdisim" catalogue tiers azure-files/ssd-v2 --size 1TiB --set 'iops=20000 IOPS'
says 'bought apart' 'burst limit +60,000 IOPS'
expect 'paid bursting' 0 '' "$vdisim" "${premium[@]}" --size 1TiB --set paid_bursting=true
says 'paid bursting' '102,400 IOPS +paid bursting'
expect 'paid bursting before it was there' 2 'paid bursting is not offered with this tier and date' \
  "$vdisim" "${premium[@]}" --size 1TiB --date 2021-01 --set paid_bursting=true
for arguments in '' tiers 'tiers azure-files/premium' 'tiers azure-files/premium --size 10TiB' defaults 'defaults share'; do
  # shellcheck disable=SC2086
  expect "json: $arguments" 0 '' "$vdisim" catalogue $arguments --format json
  is_json "json: $arguments"
done
expect 'json of a size' 0 '' "$vdisim" "${premium[@]}" --size 10TiB --date 2021-01 --format json
says 'json of a size' '"name": "iops.base", "label": "baseline", "unit": "IOPS", "value": 10640,'

expect 'volumes by the TiB' 0 '' "$vdisim" catalogue tiers amazon-fsx/windows-ssd --size 2TiB --set server=mbps-32
grep -Eq '1,500 MB/s +750 a TiB x 2,048 GiB$' output && pass || fail 'volumes by the TiB' "$(cat output)"
expect 'credits that nothing spends' 0 '' "$vdisim" "${premium[@]}" --size 100TiB --date 2020-01
grep -Eq 'full bucket' output && ! grep -Eq 'lasts at|unlimited' output && pass || fail 'credits that nothing spends' "$(cat output)"
expect 'date before the first' 2 '^--date 2018-01: error: the rules of azure-files/premium begin with 2019-06' \
  "$vdisim" "${premium[@]}" --size 1TiB --date 2018-01
expect 'no such rules' 2 "'Z' is neither a date .* \(A from 2019-06 \.\.\. D from 2024-08\)" "$vdisim" "${premium[@]}" --size 1TiB --rules Z
expect 'rules are not called a date' 2 '^--rules Z: error: ' "$vdisim" "${premium[@]}" --size 1TiB --rules Z
for date in 2021-13 2021-00 2021-02-29 2021-04-31; do
  expect "no such date: $date" 2 "'$date' is neither a date" "$vdisim" "${premium[@]}" --size 1TiB --date $date
done
expect 'a leap day' 0 '' "$vdisim" "${premium[@]}" --size 1TiB --date 2024-02-29
expect 'not all keys are listed' 2 "unknown key 'foo' .*; there is .* and [0-9]+ more" "$vdisim" "${premium[@]}" --size 1TiB --set foo=3
expect 'xml' 2 "^vdisim catalogue: --format: 'xml' is not one of table, json$" "$vdisim" catalogue --format xml
expect 'date and rules' 2 'give one date, or one name of rules' "$vdisim" "${premium[@]}" --date 2021-01 --rules B
expect 'too small' 2 '^--size 50GiB: error: this tier is sold from 100 to 102,400 GiB' "$vdisim" "${premium[@]}" --size 50GiB
expect 'decimal size' 2 'Did you mean 1 TiB\?' "$vdisim" "${premium[@]}" --size 1TB
expect 'no size' 2 'needs the key size' "$vdisim" "${premium[@]}" --date 2021-01
expect 'no such tier' 2 "there is no tier 'azure-files/premum'\. Did you mean azure-files/premium\?" \
  "$vdisim" catalogue tiers azure-files/premum --size 1TiB
expect 'size of a section' 2 'of one of the tiers' "$vdisim" catalogue tiers --size 1TiB
expect 'size of a profile' 2 'of one of the tiers' "$vdisim" catalogue profiles citrix-test-profile --size 1TiB
expect 'not sold apart' 2 'this tier sells no IOPS apart from the size' "$vdisim" "${premium[@]}" --size 1TiB --set 'iops=20000 IOPS'
expect 'too few' 2 'sold with 3,000 to 102,400 IOPS' "$vdisim" catalogue tiers azure-files/ssd-v2 --size 1TiB --set 'iops=200 IOPS'
expect 'csv' 2 "format: 'csv' is not one of table, json" "$vdisim" catalogue --format csv
expect 'into a full disk' 1 'cannot write' bash -c "'$vdisim' catalogue tiers azure-files/premium --size 1TiB >/dev/full"

# A tier of one's own: what differs from one of the catalogue, used by an experiment.
cat >ours.yaml <<'END'
sources: {quote: "Our quote of 3 March"}
tiers:
  ours/nas:
    like: azure-files/premium
    title: Our NAS
    values:
      size_min: {value: 1 TiB, status: published, source: quote}
    rules:
      - name: quote
        from: 2026-03
        values:
          base_iops: {value: 5000 IOPS, status: published, source: quote}
          base_iops_max: {value: 60000 IOPS, status: published, source: quote}
          burst: {value: none, status: published, source: quote}
          burst_iops_floor: {value: 0 IOPS, status: published, source: quote}
          burst_iops_max: {value: 0 IOPS, status: published, source: quote}
          ingress: {value: 100 MiB/s, status: published, source: quote}
          egress: {value: 100 MiB/s, status: published, source: quote}
    contradictions:
      - {about: base_iops, size: 2 TiB, says: "8,000 IOPS", source: "the data sheet", used: "the quote"}
END
expect 'own tier' 0 '' "$vdisim" catalogue tiers ours/nas --size 2TiB --catalogue ours.yaml
says 'own tier' 'baseline +7,048 IOPS'
says 'own tier' 'the data sheet says 8,000 IOPS\. Used here: the quote'
says 'own tier' 'egress +223 MiB/s'
sed 's|azure-files/premium, size: 1 TiB|ours/nas, size: 2 TiB|; /^vary/,/^$/d; s/^  *stores\.[a-z]*\.tier:.*//' "$data/small.yaml" >own.yaml
expect 'own tier runs' 0 '' "$vdisim" run --quiet --no-results --catalogue ours.yaml --format json own.yaml
says 'own tier runs' '"iops\.limit": \{"unit": "IOPS", "mean": 7048'
expect 'own tier, below its size' 2 'this tier is sold from 1,024 to' "$vdisim" run --catalogue ours.yaml --set 'stores.profiles.size=500 GiB' own.yaml
sed 's|like: azure-files/premium|like: azure-files/premum|' ours.yaml >bad.yaml
expect 'like nothing' 2 "^bad\.yaml:4:11: error: 'azure-files/premum' is no entry of tiers so far to be like\. Did you mean azure-files/premium\?" \
  "$vdisim" run --catalogue bad.yaml own.yaml
sed 's|about: base_iops|about: base_ipos|' ours.yaml >bad.yaml
expect 'a contradiction about nothing' 2 "^bad\.yaml:[0-9]+:[0-9]+: error: a contradiction is about a parameter" \
  "$vdisim" catalogue --catalogue bad.yaml
finish
