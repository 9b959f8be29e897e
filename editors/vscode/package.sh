#!/bin/sh
# Packages the extension: package.sh FOLDER writes FOLDER/shared-memory-course.vsix, which
# `code --install-extension` installs. Exit code 77: something that it needs is missing; it says what.
#
# A .vsix is a zip file with two files that describe it (Open Packaging Conventions), and the extension
# in extension/. esbuild puts extension.js and the language client into one file.
set -eu
here=$(dirname "$(readlink -f "$0")")
mkdir -p "$1"
cd "$1"

skip() {
  echo "skipped: $*"
  exit 77
}
for tool in node npm python3; do
  command -v $tool >/dev/null || skip "$tool is not installed"
done

if ! cmp -s "$here/package-lock.json" installed-lock.json; then
  cp "$here/package.json" "$here/package-lock.json" .
  if ! npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >npm.log 2>&1; then
    cat npm.log
    skip "the npm packages could not be installed; the lines above say why"
  fi
  cp "$here/package-lock.json" installed-lock.json
fi

rm -rf content shared-memory-course.vsix
mkdir -p content/extension
NODE_PATH=$PWD/node_modules node_modules/.bin/esbuild "$here/extension.js" --bundle --minify --platform=node --format=cjs \
  --external:vscode --log-level=warning --outfile=content/extension/extension.js
cp "$here/README.md" "$here/../../LICENSE" content/extension/
cp "$here/package.json" content/extension/

value() { node -p "require('$here/package.json').$1"; }
cat >'content/[Content_Types].xml' <<'XML'
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
  <Override PartName="/extension/LICENSE" ContentType="text/plain"/>
</Types>
XML
cat >content/extension.vsixmanifest <<XML
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="$(value name)" Version="$(value version)" Publisher="$(value publisher)"/>
    <DisplayName>$(value displayName)</DisplayName>
    <Description xml:space="preserve">$(value description)</Description>
    <Categories>$(value 'categories.join(",")')</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="$(value engines.vscode)"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE" Addressable="true"/>
  </Assets>
</PackageManifest>
XML
(cd content && python3 -m zipfile -c ../shared-memory-course.vsix '[Content_Types].xml' extension.vsixmanifest extension)
echo "$PWD/shared-memory-course.vsix"
