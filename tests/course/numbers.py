#!/usr/bin/env python3
"""Numbers in a text, held against the experiment that they come from.

  numbers.py PROGRAM TEXT.md...            ends with 1 and a line for each number that is not what the experiment gives
  numbers.py --update PROGRAM TEXT.md...   writes the numbers into the texts

A text names its experiment by its first link to a .yaml file. Behind a number stands, unseen by readers, where it comes from:

  7.5<!-- 1 profile_load.mean .1 -->       cell 1, the mean of the metric, one digit behind the point
  2.4<!-- 3/1 profile_load.mean .1 -->     cell 3 over cell 1
  6.1<!-- 3-1 profile_load.mean .1 -->     their difference
  5.2<!-- 1 profile_load.mean pi95.0 .1 -->  the lower end of an interval (ci95, pi95)
  12.0<!-- 1 burst_credits.min *1e-6 .1 --> scaled
  219<!-- = 0.05*12038400/(3400-656) .0 --> arithmetic alone
"""
import json
import re
import subprocess
import sys

MARK = re.compile(r'([-\d.,?]+)<!-- (=|[\d/-]+) (\S+)(?: ((?:ci|pi)95\.[01]))?(?: \*(\S+))? \.(\d) -->')


def value(cells, places, metric, part, scale):
    if places == '=':
        if not re.fullmatch(r'[\d.e*/()+-]+', metric):
            raise ValueError(f'{metric}: not arithmetic')
        found = eval(metric)  # digits and operators only
    else:
        values = []
        for place in re.split('[/-]', places):
            entry = cells[int(place) - 1]['metrics'][metric]
            interval, end = part.split('.') if part else (None, None)
            values.append(entry[interval][int(end)] if part else entry['mean'])
        found = values[0] if len(values) == 1 else values[0] / values[1] if '/' in places else values[0] - values[1]
    return found * float(scale or 1)


def main(arguments):
    update = arguments[0] == '--update'
    program, *texts = arguments[1:] if update else arguments
    wrong = marks = 0
    for path in texts:
        text = open(path, encoding='utf-8').read()
        link = re.search(r'\(([^)]*\.yaml)\)', text)
        if not link:
            print(f'{path}: names no experiment')
            wrong += 1
            continue
        experiment = re.sub('[^/]*$', '', path) + link[1]
        run = subprocess.run([program, 'run', '--quiet', '--no-results', '--format', 'json', experiment],
                             capture_output=True, text=True)
        if run.returncode not in (0, 3):
            print(f'{path}: {run.stderr}')
            wrong += 1
            continue
        cells = json.loads(run.stdout)['cells']

        def replace(match):
            nonlocal wrong, marks
            marks += 1
            number, places, metric, part, scale, digits = match.groups()
            try:
                right = f'{value(cells, places, metric, part, scale):,.{digits}f}'
            except (KeyError, IndexError, ValueError, TypeError) as error:
                print(f'{path}: {match[0]}: {error!r}')
                wrong += 1
                return match[0]
            if number != right and not update:
                print(f'{path}: {match[0]} should be {right}')
                wrong += 1
            return right + match[0][len(number):]

        replaced = MARK.sub(replace, text)
        if len(MARK.findall(text)) != text.count('<!-- ') - text.count('<!-- lab') or not MARK.search(text):
            print(f'{path}: a mark that is not understood, or none at all')
            wrong += 1
        if update:
            open(path, 'w', encoding='utf-8').write(replaced)
    print(f'{marks} numbers, {wrong} wrong')
    return 1 if wrong else 0


sys.exit(main(sys.argv[1:]))
