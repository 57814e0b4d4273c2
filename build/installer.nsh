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

; Lists Timbre under "Open with" for files with this ending, and takes them from no other program.
!macro offerFor EXT
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\SupportedTypes" ".${EXT}" ""
!macroend

!macro customInstall
  !insertmacro setPath add
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  !insertmacro offerFor wav
  !insertmacro offerFor mp3
  !insertmacro offerFor flac
  !insertmacro offerFor ogg
  !insertmacro offerFor opus
  !insertmacro offerFor m4a
  !insertmacro offerFor aac
  !insertmacro offerFor webm
  !insertmacro offerFor aiff
  !insertmacro offerFor caf
!macroend

!macro customUnInstall
  !insertmacro setPath remove
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"
  ; Timbre registers its links at each start.
  DeleteRegKey HKCU "Software\Classes\timbre"
!macroend
