#!/bin/sh
# A whole game of three, played by somebody who knows nothing but the commands.
#
#     sh tests/porto/whole_game.sh [MOVES]    in an empty folder, with porto on the PATH
#
# With MOVES it is left after so many, or after those that lead to what is refused.
# On the way moves of many kinds are tried that the rules forbid. Each has to end with exit code 1,
# name its ruling, and leave the record as it was. The houses are low, so that the game is short.

set -eu

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# played COMMAND GAME ARGUMENT…: it has to work.
played() {
    porto "$@" >said 2>complained || fail "porto $*: $(cat complained)"
    [ ! -s complained ] || fail "porto $* works and complains: $(cat complained)"
    moves=$((moves + 1))
    echo "played: porto $*"
}

# refused RULING COMMAND GAME ARGUMENT…: it has to be refused because of this ruling.
refused() {
    rule=$1
    shift
    cp "$2" before
    code=0
    porto "$@" >said 2>complained || code=$?
    [ "$code" -eq 1 ] || fail "porto $*: exit code $code, not 1"
    grep -q "^$rule: " complained || fail "porto $*: $rule is not named: $(cat complained)"
    [ ! -s said ] || fail "porto $*: prints something although it is refused: $(cat said)"
    cmp -s "$2" before || fail "porto $*: the record has changed"
    refusals=$((refusals + 1))
    named=$(sed -n 's/^\([PR]-[A-Z0-9-]*\): .*/\1/p' complained | tr '\n' ' ')
    echo "refused: porto $* (${named% })"
}

moves=0
refusals=0

cat >low.yaml <<END
name: low
artificial: true
heights: {L1: 1, L2: 2, L3: 1, L4: 2, L5: 1, L6: 2, L7: 1, R1: 1, R2: 2, R3: 1, R4: 2, R5: 1, R6: 2, R7: 1}
cards: {1: 6, 2: 3, 3: 1}
ground-floors: 2
upper-floors: 3
tokens: {1: 5, 2: 4, 3: 3, 4: 2}
END

g=game.yaml
played new $g Ana Bea Caio --edition low.yaml --seed stranger-20 --first Ana

# Ana has five private contracts and has to keep three before she does anything else.
refused P-SETUP-5 draw $g purple-1
refused P-SETUP-5 keep $g 1 2 --as Ana
refused P-SETUP-5 keep $g 1 1 2 --as Ana
played keep $g 1 2 3 --as Ana
refused P-SETUP-5 keep $g 2 3 4 --as Ana
played keep $g 2 3 4 --as Bea
played keep $g 1 3 5 --as Caio

# Face up: purple-1 green-2 red-1 blue-2 red-1
refused P-SETUP-4 draw $g purple-1 --as Bea
refused P-DRAW-1 draw $g purple-1 red-1 green-2
refused P-DRAW-1 draw $g blue-3
refused P-PASS-1 pass $g
refused P-PUBLIC-1 contract $g none
refused P-BUILD-1 build $g red-1 red-1 L4 --token L4
refused R-UNDO undo $g --as Bea
played draw $g purple-1 red-1 red-1

# Bea changes her mind; what comes up stays the same.
played draw $g green-2
refused R-UNDO undo $g --as Ana
played undo $g
played draw $g blue-1 yellow-1 blue-1
played draw $g blue-1 yellow-2

# Ana holds purple-1 red-1 red-1. With three players there is no L1.
refused P-SETUP-1 build $g red-1 purple-1 L1
refused P-TOKEN-1 build $g red-1 purple-1 L5
played build $g red-1 purple-1 L5 --token L6

# Bea holds blue-1 blue-1 yellow-1. On the roof of L6 lies a token, L5 has its roof.
refused P-TOKEN-1 build $g blue-1 blue-1 R2 --token L6
refused P-TOKEN-1 build $g blue-1 blue-1 R2 --token L5
played build $g blue-1 blue-1 R2 --token R2

# Caio holds blue-1 yellow-2. R2 is blue and has one empty space, R3 is its neighbor.
refused P-BUILD-4 build $g blue-1 yellow-2 R2
refused P-BUILD-2 build $g yellow-2 blue-1 R2
refused P-BUILD-5 build $g yellow-2 blue-1 R3 --token R3
played build $g yellow-2 blue-1 L4 --token L4

played draw $g green-1 red-2
played draw $g blue-2 green-1
played draw $g yellow-2 red-1

# Ana builds with green and red, and green+red is one of the public contracts.
played build $g red-2 green-1 R6 --token R6
refused P-PUBLIC-2 draw $g purple-2
refused P-PUBLIC-1 contract $g 3-green-floors
played contract $g green+red

# Two blue houses are started, and in this box there are no more blue ground floors.
refused P-BUILD-3 build $g green-1 blue-2 R4 --token R4

# From here on everybody builds what scores most, or takes as many cards as possible.
while :; do
    if [ "$moves" -ge "${1:-100}" ]; then
        [ $# -gt 0 ] || fail "the game does not end"
        exit 0
    fi
    porto moves $g --format json >said
    grep -o '"move": "[^"]*"' said | sed 's/^"move": "//; s/"$//' >legal
    [ -s legal ] || break
    move=$(grep -v '^draw' legal | head -n 1)
    [ -n "$move" ] || move=$(tail -n 1 legal)
    verb=${move%% *}
    rest=$(echo "${move#"$verb"}" | sed 's/ token / --token /')
    # shellcheck disable=SC2086  # the words of a move are arguments
    played "$verb" $g $rest
done

refused P-END-1 draw $g purple-1
refused P-END-1 pass $g --as Bea

played verify $g
played score $g --plain
cat said

# Without private contracts there is nothing to keep.
played new first.yaml Ana Bea --first-game
refused P-SETUP-6 keep first.yaml 1 2 3 --as Ana

echo "$moves commands played, $refusals refused"
