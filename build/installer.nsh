; Puts `timbre` on the path of those for whom Timbre is installed, and takes it off again.
!macro setPath ACTION
  Push $0
  Push $1
  StrCpy $1 "User"
  ${if} $installMode == "all"
    StrCpy $1 "Machine"
  ${endif}
  nsExec::ExecToLog '"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\bin\windows-path.ps1" -Action ${ACTION} -Scope $1'
  Pop $0
  ${if} $0 != 0
    DetailPrint "The path could not be changed: timbre is in $INSTDIR\bin."
  ${endif}
  Pop $1
  Pop $0
!macroend

!macro customInstall
  !insertmacro setPath add
!macroend

!macro customUnInstall
  !insertmacro setPath remove
!macroend
