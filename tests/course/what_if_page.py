#!/usr/bin/env python3
"""The gallery of what-ifs, docs/what-if.md, held against the experiment files it is made from.

  what_if_page.py PAGE FOLDER            ends with 1 when the page is not what the files say, or there are fewer than LEAST
  what_if_page.py --update PAGE FOLDER   writes it
"""
import pathlib
import re
import sys

LEAST = 40

GROUPS = [
    ('What it costs', r'cost-|hpc-cost|premium-one'),
    ('How large the share must be', r'premium-|default-share|users-on|burst-credits|account|metadata|handles|per-file|limit|size'),
    ('How profiles are kept', r'streaming|folder|large-files|write-back|roaming|container|cloud-cache|two-sessions|sessions|local-cache|lock'),
    ('Boots, provisioning and layers', r'boot|pvs|pagefile|write-cache|layering|monday'),
    ('Disks, servers and clients', r''),
]

# Where the answer lies in what happens over time, not in the figures of the cells.
OVER_TIME = {'burst-credits', 'hpc-file-server-burst', 'hpc-warm-up', 'boot-storm', 'large-files-off',
             'cloud-cache-outage', 'write-cache-kinds', 'default-share', 'premium-size-by-date'}

# Where it lies in who asks for what meanwhile.
SHARED = {'monday-morning'}

# Where it lies in a count.
COUNTED = {'container-handles'}

HEAD = """# What if

Questions that people ask before they buy, each an experiment file of seconds to a few minutes, with its answer. Run one and draw it:

    vdisim run experiments/what-if/NAME.yaml
    vdisim plot results/NAME

Behind each stands the picture that shows the answer, of those that `vdisim plot` draws: `predicted.svg` (load times of the cells),
`cost.svg`, `timeline-cell-N.svg` (the run of one cell over time, `--cell=N` chooses), `workloads-cell-N.svg` (what each workload asks of the
stores that they share, minute by minute), or the bars of another metric. The answers hold for the models and prices as they are, stated in the files;
change what differs in your house with `--set`. Costs name their dates when they are run, see [cost](cost.md).
"""


def text_of(path, key):
    """A top-level text of a YAML file: plain, in double quotes, or folded."""
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        if not line.startswith(key + ':'):
            continue
        text = line[len(key) + 1:].strip()
        if text in ('>-', '>'):
            text = ''
        for more in lines[number + 1:]:
            if not more.startswith('  ') and more.strip():
                break
            text += ' ' + more.strip()
        text = text.strip()
        return text[1:-1] if text[:1] == '"' == text[-1:] else text
    return ''


def picture_of(path):
    if path.stem in SHARED:
        return '`workloads-cell-N.svg`'
    if path.stem in OVER_TIME:
        return '`timeline-cell-N.svg`'
    if 'cost' in path.stem or 'premium-one' in path.stem:
        return '`cost.svg`'
    if path.stem in COUNTED:
        return 'bars of `container.refused`'
    return '`predicted.svg`' if 'logons' in path.read_text() else 'bars'


def page_of(folder):
    files = sorted(folder.glob('*.yaml'))
    parts, problems, placed = [HEAD], [], set()
    for title, pattern in GROUPS:
        parts.append(f'\n## {title}\n')
        for path in files:
            if path.stem in placed or not re.search(pattern, path.stem):
                continue
            placed.add(path.stem)
            question, answer = text_of(path, 'question'), text_of(path, 'answer')
            if not question.endswith('?') or not answer.endswith('.') or 'TODO' in answer:
                problems.append(f'{path.name}: needs a question and an answer')
            picture = picture_of(path)
            parts.append(f'\n**{question}** {answer}\n[{path.stem}](../experiments/what-if/{path.name}), {picture}\n')
    if len(files) < LEAST:
        problems.append(f'{len(files)} what-ifs, fewer than {LEAST}')
    return ''.join(parts), problems


def main(arguments):
    update = arguments[0] == '--update'
    page, folder = (pathlib.Path(argument) for argument in arguments[update:])
    text, problems = page_of(folder)
    if update:
        page.write_text(text)
    elif page.read_text() != text:
        problems.append(f'{page}: not what the files say; write it with --update')
    print('\n'.join(problems) or 'the page is what the files say')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
