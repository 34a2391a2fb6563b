# What zsh makes of a line when Tab is pressed at its end, and of how many it could choose.
# usage: zsh -f complete.zsh FOLDER LINE...; FOLDER has _steertag, FOLDER.dump is left for the next time
zmodload zsh/zpty
zpty shell zsh -f -i
tell() { zpty -w shell "$1" }
tell "PS1= PS2= PROMPT_EOL_MARK=; stty -echo; unsetopt auto_list auto_menu; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -d ${(q)1}.dump"
tell 'zstyle ":completion:*" completer _complete
press() { local -i all; _main_complete; all=$compstate[nmatches]; count=$all }
zle -C press complete-word press
show() { count=0; zle press; print -r -- "MADE""<$BUFFER|$count>"; BUFFER=; zle accept-line }
zle -N show; bindkey "^X" show; print REA""DY'
shift
local text
zpty -r -m shell text '*READY*' || exit 2
for one; do
  zpty -w -n shell "$one"$'\x18'
  zpty -r -m shell text '*MADE<*>*' || exit 2
  print -r -- "${${text##*MADE<}%%>*}"
done
zpty -d shell
