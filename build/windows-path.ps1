# Puts the folder of this script, where `timbre.cmd` is, on the path of one user or of all, or takes it off. The installer runs it,
# because strings of NSIS are limited to 1,024 characters, and PATH can be longer.
param(
  [Parameter(Mandatory)] [ValidateSet('add', 'remove')] [string] $Action,
  [Parameter(Mandatory)] [ValidateSet('User', 'Machine')] [string] $Scope
)
$ErrorActionPreference = 'Stop'

$key = if ($Scope -eq 'Machine') {
  [Microsoft.Win32.Registry]::LocalMachine.OpenSubKey('SYSTEM\CurrentControlSet\Control\Session Manager\Environment', $true)
} else {
  [Microsoft.Win32.Registry]::CurrentUser.OpenSubKey('Environment', $true)
}
# Not expanded: %USERPROFILE% in it must stay as it is.
$old = $key.GetValue('Path', '', 'DoNotExpandEnvironmentNames')
$folders = @($old -split ';' | Where-Object { $_ -and $_ -ne $PSScriptRoot })
if ($Action -eq 'add') { $folders += $PSScriptRoot }
$new = $folders -join ';'
if ($new -ne $old) {
  $key.SetValue('Path', $new, 'ExpandString')
  # Removes a variable that is not there, which tells running programs that the environment has changed.
  [Environment]::SetEnvironmentVariable('TIMBRE_PATH_CHANGED', $null, $Scope)
}
